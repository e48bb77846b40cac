import { createHash } from 'node:crypto';
import { gunzipSync } from 'node:zlib';
import { type Incoming, type Outgoing, type Part, multipart } from './exchange.js';

export type Fields = readonly (readonly [name: string, value: string])[];

/** What goes with a request line. One of `json`, `form`, `parts` and `raw` is the body. */
export interface Ask {
  readonly about?: string | undefined;
  /** Whose token, by its name; none where it is null. */
  readonly as?: string | null | undefined;
  readonly json?: unknown;
  readonly form?: Fields | undefined;
  readonly parts?: readonly Part[] | undefined;
  readonly raw?: string | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly cookie?: string | undefined;
  readonly keepAlive?: boolean | undefined;
  readonly until?: string | undefined;
  readonly onOpen?: (() => void) | undefined;
  /** Asks on where its token has asked too much. */
  readonly unsparing?: boolean | undefined;
  /** What of the body is written down, where that is not the body. */
  readonly shown?: string | undefined;
}

export class Answer {
  readonly status: number;
  readonly headers: Incoming['headers'];
  readonly body: Buffer;

  constructor({ status, headers, body }: Incoming) {
    this.status = status;
    this.headers = headers;
    this.body = body;
  }

  /** The first of that name, in small letters. */
  header(name: string): string | undefined {
    return this.headers.find(([known]) => known.toLowerCase() === name)?.[1];
  }

  get text(): string {
    const plain = this.header('content-encoding') === 'gzip' ? gunzipSync(this.body) : this.body;
    const text = plain.toString();
    if (Buffer.from(text).equals(plain)) return text;
    return `${plain.length} bytes, sha256 ${createHash('sha256').update(plain).digest('hex')}`;
  }

  // oxlint-disable-next-line typescript/no-explicit-any
  get json(): any {
    return JSON.parse(this.text);
  }
}

export function outgoingOf(line: string, ask: Ask, token: string | undefined): Outgoing {
  const cut = line.indexOf(' ');
  const { type, body } = bodyOf(ask);
  return {
    method: line.slice(0, cut),
    path: line.slice(cut + 1),
    headers: {
      'user-agent': 'wire-recorder',
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      ...(ask.cookie && { cookie: ask.cookie }),
      ...(type && { 'content-type': type }),
      ...(body && { 'content-length': `${body.length}` }),
      ...ask.headers,
    },
    body,
    keepAlive: ask.keepAlive,
  };
}

function bodyOf({ json, form, parts, raw }: Ask): { type?: string; body?: Buffer } {
  if (parts) return multipart(parts);
  if (json !== undefined) return { type: 'application/json', body: Buffer.from(JSON.stringify(json)) };
  if (form) {
    const body = Buffer.from(new URLSearchParams(form as [string, string][]).toString());
    return { type: 'application/x-www-form-urlencoded', body };
  }
  return raw === undefined ? {} : { body: Buffer.from(raw) };
}
