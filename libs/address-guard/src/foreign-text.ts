/** Codes of OpenSSL and Node for refused certificates. */
export const CERTIFICATE_ERROR = /^(CERT_|DEPTH_|SELF_SIGNED_|UNABLE_TO_|ERR_TLS_CERT)/;

const MAX_CHARACTERS = 300;

/** A text that a server chose may be long, or have characters that PostgreSQL cannot store. */
export function printable(text: string): string {
  const shown = text.replaceAll(/\p{C}/gu, '\uFFFD');
  return shown.length > MAX_CHARACTERS ? `${shown.slice(0, MAX_CHARACTERS)}…` : shown;
}
