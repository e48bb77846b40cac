import type { RequestDraft } from './draft.js';
import type { RequestPlan } from './request-plan.js';

/** Client behaviour after the request is sent. */
export type WireEnding =
  /** Reads the response and reuses the connection. */
  | 'reuse'
  /** Reads until the server closes. */
  | 'read'
  /** Closes its half and reads the rest. */
  | 'half-close'
  /** Disconnects. */
  | 'abort'
  /** Reads the start of an endless response. */
  | 'first-bytes';

/** A request as bytes. The pieces are written one after the other. */
export interface Wire {
  readonly pieces: readonly Buffer[];
  readonly ending: WireEnding;
  /** Responses to HEAD have no body. */
  readonly methods: readonly string[];
}

/** The bytes of a request, usually in the common form. */
export function wireOf(draft: RequestDraft, plan: RequestPlan, streams = false): Wire {
  if (streams) return { pieces: [bytesOf(draft)], ending: 'first-bytes', methods: [draft.method] };
  return plan.has('wire') ? plan.choices.pick(STYLES)(draft, plan) : plain(draft);
}

const plain = (draft: RequestDraft): Wire => ({
  pieces: [bytesOf(draft)],
  ending: 'reuse',
  methods: [draft.method],
});

const read = (draft: RequestDraft, pieces: readonly Buffer[], methods = [draft.method]): Wire => ({
  pieces,
  ending: 'read',
  methods,
});

interface WrittenAs {
  readonly version?: string;
  readonly target?: string;
  readonly method?: string;
  /** Instead of the length. */
  readonly framing?: readonly string[];
  readonly extra?: readonly string[];
  readonly body?: Buffer;
}

export function bytesOf(draft: RequestDraft, as: WrittenAs = {}): Buffer {
  const { version = 'HTTP/1.1', target = draft.target, method = draft.method, extra = [] } = as;
  const body = as.body ?? draft.body ?? Buffer.alloc(0);
  const named = draft.headers.some(([name]) => name === 'host') ? [] : ['host: localhost'];
  const framing = as.framing ?? (draft.body === undefined ? [] : [`content-length: ${draft.body.length}`]);
  const lines = draft.headers.map(([name, value]) => `${name}: ${value}`);
  const head = [`${method} ${target} ${version}`, ...named, ...lines, ...framing, ...extra, '', ''].join('\r\n');
  return Buffer.concat([Buffer.from(head, 'latin1'), body]);
}

const CLOSE = ['connection: close'];

const chunked = (body: Buffer, size: number): Buffer => {
  const chunks: Buffer[] = [];
  for (let at = 0; at < body.length; at += size) {
    const part = body.subarray(at, at + size);
    chunks.push(Buffer.from(`${part.length.toString(16)};name="value"\r\n`), part, Buffer.from('\r\n'));
  }
  return Buffer.concat(chunks);
};

const CHUNKED = ['transfer-encoding: chunked'];
const TRAILERS = '0\r\nx-trailer: 1\r\nauthorization: Bearer x\r\ncontent-length: 99\r\n\r\n';
const MAX_CHUNKED_BYTES = 5000;

/** Truncates a chunked body, to limit the number of chunks. */
const shortBody = ({ body = Buffer.alloc(0) }: RequestDraft): Buffer => body.subarray(0, MAX_CHUNKED_BYTES);

const STYLES: readonly ((draft: RequestDraft, plan: RequestPlan) => Wire)[] = [
  // Its headers may request keep-alive.
  (draft) => ({ ...plain(draft), pieces: [bytesOf(draft, { version: 'HTTP/1.0' })] }),
  (draft) => read(draft, [bytesOf(draft, { target: `http://evil.example${draft.target}`, extra: CLOSE })]),
  (draft) => read(draft, [bytesOf(draft, { target: `localhost:80`, method: 'CONNECT', extra: CLOSE })], ['CONNECT']),
  (draft) => {
    const body = Buffer.concat([chunked(shortBody(draft), 7), Buffer.from(TRAILERS)]);
    return read(draft, [bytesOf(draft, { framing: [...CHUNKED, 'trailer: x-trailer'], extra: CLOSE, body })]);
  },
  (draft) => {
    const body = Buffer.concat([chunked(shortBody(draft), 1), Buffer.from('0\r\n\r\n')]);
    return read(draft, [bytesOf(draft, { framing: CHUNKED, extra: CLOSE, body })]);
  },
  (draft) => read(draft, [bytesOf(draft, { extra: [...CLOSE, 'expect: 100-continue'] })]),
  (draft) => read(draft, [bytesOf(draft, { extra: [...CLOSE, 'expect: a miracle'] })]),
  (draft) => read(draft, splitInto(5, bytesOf(draft, { extra: CLOSE }))),
  (draft, plan) => cutOff(draft, plan, 'half-close'),
  (draft, plan) => cutOff(draft, plan, 'abort'),
  (draft) => ({ pieces: [bytesOf(draft)], ending: 'half-close', methods: [draft.method] }),
  (draft) => ({ pieces: [bytesOf(draft)], ending: 'abort', methods: [draft.method] }),
  (draft) => read(draft, [bytesOf(draft, { method: 'HEAD', extra: CLOSE })], ['HEAD']),
  (draft) => {
    const next = bytesOf({ ...draft, method: 'HEAD', body: undefined }, { extra: CLOSE });
    return read(draft, [bytesOf(draft), next], [draft.method, 'HEAD']);
  },
  (draft) => read(draft, [bytesOf(draft), Buffer.from('garbage that is no request\r\n\r\n')], [draft.method, 'GET']),
];

function cutOff(draft: RequestDraft, { choices }: RequestPlan, ending: WireEnding): Wire {
  const whole = bytesOf(draft);
  return { pieces: [whole.subarray(0, choices.integer(0, whole.length - 1))], ending, methods: [draft.method] };
}

function splitInto(count: number, bytes: Buffer): Buffer[] {
  const size = Math.ceil(bytes.length / count);
  return Array.from({ length: count }, (_none, at) => bytes.subarray(at * size, (at + 1) * size));
}

const OTHER_METHODS = [
  'HEAD',
  'OPTIONS',
  'TRACE',
  'PROPFIND',
  'PURGE',
  'BREW',
  'get',
  'PUT',
  'DELETE',
  'PATCH',
  'QUERY',
];

export function withOtherMethod(draft: RequestDraft, { choices }: RequestPlan): RequestDraft {
  return { ...draft, method: choices.pick(OTHER_METHODS) };
}
