import { HOSTILE_BODIES, HOSTILE_CONTENT_TYPES } from './hostile.js';
import { type RequestPlan, encoded } from './request-plan.js';
import { withWrongField } from './values.js';

export interface Body {
  readonly type: string;
  readonly bytes: Buffer;
}

export type Fields = Readonly<Record<string, unknown>>;

const FORM = 'application/x-www-form-urlencoded';

/** These fields as `write` puts them, with a wrong field or as a wrong body if the plan says so. */
export function bodyWith(plan: RequestPlan, right: Fields, write: (fields: Fields) => Body): Body {
  const written = write(plan.has('fields') ? withWrongField(plan, right) : right);
  return plan.has('body') ? wrongBody(plan, written) : written;
}

/** Fields as JSON, sometimes with a duplicate name or one that pollutes the prototype of every object. */
export function jsonBody(plan: RequestPlan, fields: Fields): Body {
  const { choices } = plan;
  const text = JSON.stringify(fields);
  const unusual = plan.has('fields') && choices.isLikely(0.1);
  const start = choices.pick([
    '"__proto__":{"role":"owner"},',
    `"body":1,"body":2,`,
    '"constructor":{"prototype":{}},',
  ]);
  return {
    type: 'application/json',
    bytes: Buffer.from(unusual && text.length > 2 ? `{${start}${text.slice(1)}` : text),
  };
}

export const formBody = (fields: Fields): Body => ({ type: FORM, bytes: Buffer.from(pairsOf(fields).join('&')) });

/** `to[email]=`, `tags[]=`. Truncates deep and wide values, because a form has none. */
function pairsOf(fields: Fields): string[] {
  const pairs: string[] = [];
  const places: { name: string; value: unknown; depth: number }[] = Object.entries(fields).map(([name, value]) => ({
    name: encoded(name),
    value,
    depth: 0,
  }));
  for (let place = places.pop(); place; place = places.pop()) {
    const { name, value, depth } = place;
    if (typeof value !== 'object' || value === null || depth > 5) pairs.push(`${name}=${encoded(formText(value))}`);
    else
      for (const [key, part] of Object.entries(value))
        places.push({ name: `${name}[${Array.isArray(value) ? '' : encoded(key)}]`, value: part, depth: depth + 1 });
  }
  return pairs;
}

/** Values too deep for a form are sent as JSON. */
const formText = (value: unknown): string =>
  typeof value === 'object' && value !== null ? JSON.stringify(value) : `${(value ?? '') as string | number}`;

const MAIL_PIECES = [
  'From: ana@client.test',
  'From: "\u0000" <@>',
  'Subject: =?utf-8?q?=00=FF?=',
  'Message-ID: <1@client.test>',
  'References: <a> <b <c>>',
  'Content-Type: multipart/mixed; boundary=b',
  'Content-Transfer-Encoding: base64',
  '',
  '--b',
  '--b--',
  'hello',
  ': :',
];

/** Lines of emails in random order, possibly valid. */
export function mailBody({ choices }: RequestPlan): Body {
  const lines = Array.from({ length: choices.integer(0, 30) }, () => choices.pick(MAIL_PIECES));
  return { type: 'message/rfc822', bytes: Buffer.from(lines.join('\r\n')) };
}

const FILE_NAMES = ['a.txt', 'ü.png', 'a".txt', '..\\..\\x', 'x'.repeat(300), ''];
const BOUNDARY = 'fuzz-boundary';

export function multipartBody({ choices }: RequestPlan, fields: Fields, files: number): Body {
  const parts = Object.entries(fields).map(
    ([name, value]) =>
      `--${BOUNDARY}\r\ncontent-disposition: form-data; name="${encoded(name)}"\r\n\r\n${formText(value)}\r\n`,
  );
  for (let file = 0; file < files; file++) {
    const name = encoded(choices.pick(FILE_NAMES));
    const disposition = `content-disposition: form-data; name="files"; filename="${name}"`;
    parts.push(`--${BOUNDARY}\r\n${disposition}\r\ncontent-type: text/plain\r\n\r\n${'hello '.repeat(20)}\r\n`);
  }
  return {
    type: `multipart/form-data; boundary=${BOUNDARY}`,
    bytes: Buffer.from(`${parts.join('')}--${BOUNDARY}--\r\n`),
  };
}

/** A body that contradicts its type, ends in the middle, or is invalid UTF-8. */
function wrongBody(plan: RequestPlan, right: Body): Body {
  const { choices } = plan;
  const way = choices.integer(0, 4);
  if (way === 0) return { ...right, type: choices.pick(HOSTILE_CONTENT_TYPES) };
  if (way === 1) return { ...right, bytes: right.bytes.subarray(0, choices.integer(0, right.bytes.length)) };
  if (way === 2) return { ...right, bytes: withOtherByte(plan, right.bytes) };
  return { type: choices.pick(HOSTILE_CONTENT_TYPES), bytes: Buffer.from(choices.pick(HOSTILE_BODIES)) };
}

function withOtherByte({ choices }: RequestPlan, bytes: Buffer): Buffer {
  const changed = Buffer.from(bytes);
  if (changed.length > 0) changed[choices.integer(0, changed.length - 1)] = choices.integer(0, 255);
  return changed;
}
