import { HEAVY_BODIES } from './heavy-bodies.js';
import type { Wire } from './wire.js';

/** Bytes that are barely HTTP, or that two programs could parse differently. */
export interface RawShape {
  readonly name: string;
  readonly wire: (token: string) => Wire;
  /** Status of the first response, if only one is correct. */
  readonly status?: number;
}

const head = (token: string, line: string, headers: readonly string[] = []): string =>
  [line, 'host: localhost', `authorization: Bearer ${token}`, 'connection: close', ...headers, '', ''].join('\r\n');

const LIST = 'GET /v1/tickets HTTP/1.1';
const CREATE = 'POST /v1/tickets HTTP/1.1';

type Bytes = string | Buffer;

const wire = (bytes: Bytes, ending: Wire['ending'] = 'read'): Wire => ({
  pieces: [Buffer.from(bytes as string, 'latin1')],
  ending,
  methods: ['GET', 'GET', 'GET'],
});

const said = (name: string, bytes: (token: string) => Bytes, status?: number): RawShape => ({
  name,
  wire: (token) => wire(bytes(token)),
  ...(status !== undefined && { status }),
});

const list = (name: string, headers: readonly string[], status?: number): RawShape =>
  said(name, (token) => head(token, LIST, headers), status);

const json = (name: string, headers: readonly string[], body: Bytes, status?: number): RawShape =>
  said(
    name,
    (token) =>
      Buffer.concat([
        Buffer.from(head(token, CREATE, ['content-type: application/json', ...headers])),
        Buffer.from(body as string),
      ]),
    status,
  );

const line = (name: string, text: string, status?: number): RawShape =>
  said(name, (token) => head(token, text), status);

/** The request is incomplete, so the client closes its half: otherwise the server would rightly wait. */
const unfinished = (name: string, bytes: (token: string) => string): RawShape => ({
  name,
  wire: (token) => wire(bytes(token), 'half-close'),
});

const SMUGGLED = 'GET /v1/me HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n';
const CHUNKED = 'transfer-encoding: chunked';

export const RAW_SHAPES: readonly RawShape[] = [
  said('no request at all', () => 'hello\r\n\r\n', 400),
  said('nothing but line ends', () => `\r\n\r\n\r\n${'\r\n'.repeat(50)}x\r\n\r\n`, 400),
  said('the start of TLS', () => Buffer.from('16030100a5010000a10303', 'hex'), 400),
  said('the preface of HTTP/2', () => 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 400),
  list('a header of 100 KB', [`x-long: ${'a'.repeat(100_000)}`], 431),
  list(
    'ten thousand headers',
    Array.from({ length: 10_000 }, (_, n) => `x-${n}: 1`),
    431,
  ),
  list(
    'a thousand short headers',
    Array.from({ length: 1000 }, (_, n) => `x${n}: 1`),
  ),
  list('a NUL in a header', ['x-nul: a\0b'], 400),
  list('a header without a name', [': x'], 400),
  list('a header without a colon', ['nonsense'], 400),
  list('a space before the colon', ['x-space : 1'], 400),
  list('a folded header', ['x-folded: a', ' b'], 400),
  list('a header of other bytes', ['x-bytes: \x80\xff\xfe']),
  list('two authorizations', ['authorization: Bearer x']),
  list('two hosts', ['host: evil.example']),
  line('a path that is not percent-encoded text', 'GET /v1/customers/%ff%fe HTTP/1.1', 400),
  line('half an escape', 'GET /v1/customers/%4 HTTP/1.1', 400),
  line('half an escape in the query', 'GET /v1/tickets?q=%4&tag=%ff HTTP/1.1', 200),
  line('an unknown method', 'BREW /v1/tickets HTTP/1.1', 400),
  line('a method in small letters', 'get /v1/tickets HTTP/1.1', 400),
  line('a future version', 'GET /v1/tickets HTTP/9.9', 400),
  line('an old version', 'GET /v1/tickets'),
  line('a target with a space', 'GET /v1/tickets x HTTP/1.1', 400),
  line('a target with raw bytes', 'GET /v1/tickets?q=\xff\xfe HTTP/1.1'),
  line('an absolute target', 'GET http://evil.example/v1/tickets HTTP/1.1'),
  line('a target of another scheme', 'GET file:///etc/passwd HTTP/1.1'),
  line('a star as the target', 'OPTIONS * HTTP/1.1'),
  line('a tunnel', 'CONNECT localhost:22 HTTP/1.1', 405),
  line('a trace', 'TRACE /v1/tickets HTTP/1.1'),
  line('a path upwards', 'GET /assets/../../../../etc/passwd HTTP/1.1'),
  line('a path of 15 KB', `GET /${'a'.repeat(15_000)} HTTP/1.1`),
  line('a path of many parts', `GET /v1/tickets${'/a'.repeat(7000)} HTTP/1.1`),
  said('no host', (token) => `${LIST}\r\nauthorization: Bearer ${token}\r\nconnection: close\r\n\r\n`, 400),
  list('an upgrade to a socket', ['upgrade: websocket', 'connection: upgrade', 'sec-websocket-key: eA==']),
  list('an expectation', ['expect: the impossible'], 417),
  json('a body that is not UTF-8', ['content-length: 2'], Buffer.from([0xff, 0xfe]), 400),
  json('two lengths', ['content-length: 2', 'content-length: 3'], '{}', 400),
  json('a length that is not a number', ['content-length: x'], '{}', 400),
  json('a length below zero', ['content-length: -1'], '{}', 400),
  json('a length with a sign', ['content-length: +2'], '{}', 400),
  json('a length beyond all numbers', [`content-length: ${'9'.repeat(40)}`], '{}', 400),
  json('a length and chunks', ['content-length: 5', CHUNKED], '0\r\n\r\n', 400),
  json('chunks twice', [CHUNKED, CHUNKED], `0\r\n\r\n${SMUGGLED}`),
  json('chunks and more', ['transfer-encoding: chunked, identity'], `0\r\n\r\n${SMUGGLED}`, 400),
  json('chunks in disguise', ['transfer-encoding: xchunked'], `0\r\n\r\n${SMUGGLED}`, 400),
  json('chunks after a tab', ['transfer-encoding:\tchunked'], '2\r\n{}\r\n0\r\n\r\n'),
  json('a chunk without end', [CHUNKED], 'zz\r\n', 400),
  json('a chunk longer than it says', [CHUNKED], '1\r\n{}\r\n0\r\n\r\n', 400),
  json('a chunk of a huge length', [CHUNKED], `${'f'.repeat(20)}\r\n{}`, 400),
  json('a chunk with a long extension', [CHUNKED], `2;${'a'.repeat(40_000)}\r\n{}\r\n0\r\n\r\n`),
  json('many trailers', [CHUNKED], `2\r\n{}\r\n0\r\n${'x-trailer: 1\r\n'.repeat(3000)}\r\n`),
  json('a line feed alone between chunks', [CHUNKED], '2\n{}\n0\n\n'),
  json('a body that says it is compressed', ['content-length: 2', 'content-encoding: gzip'], '{}', 422),
  json('a body of over 1 MiB', ['content-length: 1048577'], '', 413),
  json('a request inside the body of another', ['content-length: 4'], `{}  ${SMUGGLED}`),
  ...Object.entries(HEAVY_BODIES).map(([name, body]) =>
    json(name, [`content-length: ${Buffer.byteLength(body)}`], body),
  ),
  said(
    'three requests at once',
    (token) => head(token, LIST).replace('close', 'keep-alive').repeat(2) + head(token, LIST),
  ),
  unfinished('half a line', () => 'GET /v1/tick'),
  unfinished('half a header', () => `${LIST}\r\nhost: loc`),
  unfinished(
    'half a body',
    (token) => `${head(token, CREATE, ['content-type: application/json', 'content-length: 100'])}{"a":`,
  ),
  unfinished(
    'half a chunk',
    (token) => `${head(token, CREATE, ['content-type: application/json', CHUNKED])}ff\r\n{"a":`,
  ),
  unfinished(
    'half a file',
    (token) =>
      `${head(token, 'POST /v1/messages/1/attachments HTTP/1.1', ['content-type: multipart/form-data; boundary=x', 'content-length: 999'])}--x\r\ncontent-disposition: form-data; name="files"; filename="a"\r\n\r\nhal`,
  ),
];
