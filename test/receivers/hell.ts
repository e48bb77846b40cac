import { gzipSync } from 'node:zlib';
import type { Socket } from 'node:net';
import type { FailureCode } from '#libs/guarded-http';
import { drip, onRequest, pour } from './raw-server.js';

/** The behaviour of a receiver on a connection, and the expected record of the attempt. */
export interface Hell {
  readonly name: string;
  readonly error: FailureCode;
  readonly serve: (socket: Socket) => void;
}

const OK = 'HTTP/1.1 200 OK\r\n';
const CHUNKED = `${OK}Transfer-Encoding: chunked\r\n\r\n`;
const KIBIBYTE = 'x'.repeat(1024);

export const HANGING: readonly Hell[] = [
  { name: 'never answers', error: 'timeout', serve: () => undefined },
  { name: 'stops inside the status line', error: 'timeout', serve: says('HTTP/1.1 20') },
  { name: 'stops inside the headers', error: 'timeout', serve: says(`${OK}Content-Type: text/`) },
  { name: 'stops after the headers', error: 'timeout', serve: says(`${OK}Content-Length: 10\r\n\r\n`) },
  { name: 'stops inside the body', error: 'timeout', serve: says(`${OK}Content-Length: 10\r\n\r\nhalf`) },
  { name: 'stops inside a chunk', error: 'timeout', serve: says(`${CHUNKED}ff\r\nhalf`) },
  { name: 'forgets the last chunk', error: 'timeout', serve: says(`${CHUNKED}2\r\nok\r\n`) },
  { name: 'drips the status line', error: 'timeout', serve: drips('HTTP/1.1 200 ', 'x') },
  { name: 'drips the headers', error: 'timeout', serve: drips(`${OK}X-Slow: `, 'x') },
  { name: 'drips the body', error: 'timeout', serve: drips(`${OK}Content-Length: 1000\r\n\r\n`, 'x') },
  { name: 'drips chunks', error: 'timeout', serve: drips(CHUNKED, '1\r\nx\r\n') },
  { name: 'drips a body without an end', error: 'timeout', serve: drips(`${OK}\r\n`, 'x') },
  { name: 'drips informational answers', error: 'timeout', serve: drips('', 'HTTP/1.1 103 Early Hints\r\n\r\n') },
];

export const FLOODING: readonly Hell[] = [
  { name: 'sends chunks without end', error: 'too_long', serve: floods(CHUNKED, `400\r\n${KIBIBYTE}\r\n`) },
  { name: 'sends a body without end', error: 'too_long', serve: floods(`${OK}\r\n`, KIBIBYTE) },
  { name: 'announces 10 GB', error: 'too_long', serve: says(`${OK}Content-Length: 10000000000\r\n\r\n`) },
  { name: 'sends 10 GB', error: 'too_long', serve: floods(`${OK}Content-Length: 10000000000\r\n\r\n`, KIBIBYTE) },
  { name: 'sends a gzip bomb', error: 'too_long', serve: floods(`${OK}Content-Encoding: gzip\r\n\r\n`, bomb()) },
  { name: 'sends one giant header', error: 'too_long', serve: floods(`${OK}X-Giant: `, KIBIBYTE) },
  { name: 'sends headers without end', error: 'too_long', serve: floods(OK, `X-More: ${KIBIBYTE}\r\n`) },
  { name: 'sends a header name without end', error: 'too_long', serve: floods(OK, KIBIBYTE) },
  { name: 'sends a reason without end', error: 'too_long', serve: floods('HTTP/1.1 200 ', KIBIBYTE) },
  {
    name: 'sends trailers without end',
    error: 'too_long',
    serve: floods(`${CHUNKED}0\r\n`, `X-More: ${KIBIBYTE}\r\n`),
  },
  { name: 'sends chunk extensions without end', error: 'too_long', serve: floods(`${CHUNKED}2;x=`, KIBIBYTE) },
  {
    name: 'sends early hints without end',
    error: 'protocol',
    serve: floods('', 'HTTP/1.1 103 Early Hints\r\nLink: <x>\r\n\r\n'.repeat(100)),
  },
  {
    name: 'sends 102 without end',
    error: 'protocol',
    serve: floods('', 'HTTP/1.1 102 Processing\r\n\r\n'.repeat(100)),
  },
  { name: 'sends 100 without end', error: 'protocol', serve: floods('', 'HTTP/1.1 100 Continue\r\n\r\n'.repeat(100)) },
];

export const BREAKING: readonly Hell[] = [
  { name: 'hangs up at once', error: 'reset', serve: (socket) => socket.destroy() },
  { name: 'resets at once', error: 'reset', serve: (socket) => socket.resetAndDestroy() },
  { name: 'hangs up on the request', error: 'reset', serve: onRequest((socket) => socket.destroy()) },
  { name: 'resets on the request', error: 'reset', serve: onRequest((socket) => socket.resetAndDestroy()) },
  { name: 'hangs up inside the headers', error: 'reset', serve: leavesAfter(`${OK}Content-Le`) },
  { name: 'hangs up inside the body', error: 'reset', serve: leavesAfter(`${OK}Content-Length: 10\r\n\r\nhalf`) },
  { name: 'hangs up inside a chunk', error: 'reset', serve: leavesAfter(`${CHUNKED}ff\r\nhalf`) },
  {
    name: 'hangs up inside the last chunk',
    error: 'reset',
    serve: leavesAfter(`${OK}Connection: close\r\nTransfer-Encoding: chunked\r\n\r\nff\r\nhalf`),
  },
  { name: 'resets inside the body', error: 'reset', serve: resetsAfter(`${OK}Content-Length: 10\r\n\r\nhalf`) },
  { name: 'speaks HTTP/0.9', error: 'protocol', serve: leavesAfter('<html>hello</html>') },
  { name: 'speaks SSH', error: 'protocol', serve: leavesAfter('SSH-2.0-OpenSSH_9.6\r\n') },
  { name: 'speaks Redis', error: 'protocol', serve: leavesAfter("-ERR unknown command 'POST'\r\n") },
  { name: 'speaks HTTP/2', error: 'protocol', serve: says(Buffer.from([0, 0, 0, 4, 0, 0, 0, 0, 0])) },
  { name: 'speaks TLS to plain HTTP', error: 'protocol', serve: says(Buffer.from([21, 3, 1, 0, 2, 2, 70])) },
  { name: 'sends zeros', error: 'protocol', serve: says(Buffer.alloc(512)) },
  { name: 'answers with an unknown version', error: 'protocol', serve: says('HTTP/9.9 200 OK\r\n\r\n') },
  { name: 'answers with status 2000', error: 'protocol', serve: says('HTTP/1.1 2000 OK\r\nContent-Length: 0\r\n\r\n') },
  {
    name: 'answers with two lengths',
    error: 'reset',
    serve: says(`${OK}Content-Length: 2\r\nContent-Length: 3\r\n\r\nok`),
  },
  { name: 'answers with a negative length', error: 'protocol', serve: says(`${OK}Content-Length: -1\r\n\r\n`) },
  { name: 'answers with a length of words', error: 'protocol', serve: says(`${OK}Content-Length: two\r\n\r\nok`) },
  { name: 'answers with a broken chunk', error: 'protocol', serve: says(`${CHUNKED}zz\r\nok\r\n`) },
  { name: 'answers with a header of spaces', error: 'protocol', serve: says(`${OK}Bad Header : x\r\n\r\n`) },
  {
    name: 'switches protocols unasked',
    error: 'protocol',
    serve: says('HTTP/1.1 101 Now\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n'),
  },
];

function says(bytes: string | Buffer): (socket: Socket) => void {
  return onRequest((socket) => socket.write(bytes));
}

function leavesAfter(bytes: string): (socket: Socket) => void {
  return onRequest((socket) => socket.end(bytes));
}

function resetsAfter(bytes: string): (socket: Socket) => void {
  return onRequest((socket) => socket.write(bytes, () => socket.resetAndDestroy()));
}

function drips(start: string, bytes: string): (socket: Socket) => void {
  return onRequest((socket) => {
    socket.write(start);
    drip(socket, bytes, 40);
  });
}

function floods(start: string, chunk: string | Buffer): (socket: Socket) => void {
  return onRequest((socket) => {
    socket.write(start);
    pour(socket, chunk);
  });
}

/** A thousand times larger when decompressed, and sent again and again. */
function bomb(): Buffer {
  return gzipSync(Buffer.alloc(16 * 1024 * 1024));
}
