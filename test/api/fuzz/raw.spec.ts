import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Desk, startDesk } from '../../support/desk.js';

let desk: Desk;
beforeAll(async () => {
  desk = await startDesk();
});
afterAll(() => desk.stop());

/** Sends bytes as they are and reads until the server closes. */
function say(text: string | Buffer): Promise<string> {
  const { hostname, port } = new URL(desk.base);
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname, () => socket.write(text));
    let answer = '';
    socket.setEncoding('latin1').on('data', (part: string) => (answer += part));
    socket.on('close', () => resolve(answer)).on('error', reject);
  });
}

const request = (line: string, headers: readonly string[] = [], body = ''): string =>
  [
    line,
    'host: localhost',
    `authorization: Bearer ${desk.account.owner.token}`,
    'connection: close',
    ...headers,
    '',
    body,
  ].join('\r\n');

const json = (body: string, headers: readonly string[] = []) =>
  request('POST /v1/tickets HTTP/1.1', ['content-type: application/json', ...headers], body);

describe('Bytes that are hardly HTTP', () => {
  it.each([
    ['no request at all', () => 'hello\r\n\r\n', 400],
    ['a header of 100 KB', () => request('GET /v1/tickets HTTP/1.1', [`x-long: ${'a'.repeat(100_000)}`]), 431],
    [
      'ten thousand headers',
      () =>
        request(
          'GET /v1/tickets HTTP/1.1',
          Array.from({ length: 10_000 }, (_, n) => `x-${n}: 1`),
        ),
      431,
    ],
    ['a NUL in a header', () => request('GET /v1/tickets HTTP/1.1', ['x-nul: a\0b']), 400],
    ['a path that is not percent-encoded text', () => request('GET /v1/customers/%ff%fe HTTP/1.1'), 400],
    ['half an escape', () => request('GET /v1/customers/%4 HTTP/1.1'), 400],
    ['half an escape in the query', () => request('GET /v1/tickets?q=%4&tag=%ff HTTP/1.1'), 200],
    ['a method nobody knows', () => request('BREW /v1/tickets HTTP/1.1'), 400],
    [
      'a body that is not UTF-8',
      () => Buffer.concat([Buffer.from(json('', ['content-length: 2'])), Buffer.from([0xff, 0xfe])]),
      400,
    ],
    ['two lengths', () => json('{}', ['content-length: 2', 'content-length: 3']), 400],
    ['a length that is no number', () => json('{}', ['content-length: x']), 400],
    ['a length and chunks', () => json('0\r\n\r\n', ['content-length: 5', 'transfer-encoding: chunked']), 400],
    ['a chunk without end', () => json('zz\r\n', ['transfer-encoding: chunked']), 400],
    ['a body that says it is compressed', () => json('{}', ['content-length: 2', 'content-encoding: gzip']), 422],
    ['a body of over 1 MiB', () => json('', ['content-length: 1048577']), 413],
  ])('%s: get an answer or a problem of the API', async (_what, bytes, status) => {
    const answer = await say(bytes());

    expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    expect(answer).toContain(status === 200 ? 'application/json' : 'application/problem+json');
  });
});
