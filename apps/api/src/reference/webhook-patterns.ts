// Only the OpenAPI document uses these patterns. `checkOutgoingUrl` and `webhookSecretFault` validate, and also accept
// hosts in other scripts.

const NAME = String.raw`(?:[A-Za-z\d_]+(?:-+[A-Za-z\d_]+)*\.)*[A-Za-z][A-Za-z\d]*(?:-+[A-Za-z\d]+)*\.?`;
const BYTE = String.raw`(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)`;
const IPV4 = String.raw`${BYTE}(?:\.${BYTE}){3}`;
const H = String.raw`[\da-fA-F]{1,4}`;
const IPV6 = [
  `(?:${H}:){7}${H}`,
  `(?:${H}:){1,7}:`,
  ...[1, 2, 3, 4, 5, 6].map((after) => `(?:${H}:){1,${7 - after}}(?::${H}){1,${after}}`),
  `:(?::${H}){1,7}`,
  '::',
].join('|');
const PORT = String.raw`[1-9]\d{0,3}|[1-5]\d{4}|6[0-4]\d{3}|65[0-4]\d\d|655[0-2]\d|6553[0-5]`;
const PATH = String.raw`[/?][!-"$-\[\]-~]*`;

export const WEBHOOK_ADDRESS = String.raw`^https?://(?:${NAME}|${IPV4}|\[(?:${IPV6})\])(?::(?:${PORT}))?(?:${PATH})?$`;

const BASE64 = '[A-Za-z0-9+/]';
const ENDS = `(?:${BASE64}[AQgw]==)?|(?:${BASE64}{4}){8,20}${BASE64}{2}[AEIMQUYcgkosw048]=`;

export const WEBHOOK_SECRET = `^whsec_(?:(?:${BASE64}{4}){8,21}${ENDS})$`;
