import type { Socket } from 'node:net';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { onRequest, RawServer } from './raw-server.js';
import { aSender, postTo } from './sender.js';

const DEADLINE_MS = 150;

const statusLines = fc.oneof(
  fc.integer({ min: 0, max: 1_200 }).map((status) => `HTTP/1.1 ${status} Whatever\r\n`),
  fc.constantFrom(
    'HTTP/1.0 200 OK\r\n',
    'HTTP/2 200\r\n',
    'HTTP/1.1 200\r\n',
    'HTTP/1.1 101 Switching\r\n',
    '\r\n\r\n',
    '',
  ),
);
const headers = fc.oneof(
  fc.integer({ min: -5, max: 30 }).map((length) => `Content-Length: ${length}\r\n`),
  fc.string({ unit: 'binary', maxLength: 10 }).map((value) => `Retry-After: ${value}\r\n`),
  fc.string({ unit: 'binary', maxLength: 10 }),
  fc.constantFrom(
    'Transfer-Encoding: chunked\r\n',
    'Transfer-Encoding: gzip, chunked\r\n',
    'Connection: close\r\n',
    'Connection: Upgrade\r\nUpgrade: h2c\r\n',
    'Keep-Alive: timeout=1e99\r\n',
    'Keep-Alive: timeout=-1\r\n',
    'Trailer: x\r\n',
    ' folded\r\n',
  ),
);
const bodies = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.constantFrom(
    '5\r\nhello\r\n0\r\n\r\n',
    '0\r\nX: y\r\n\r\n',
    'ffffffffffffffff\r\n',
    '5;ext\r\nhello\r\n',
    '\u0000',
  ),
);
const answers = fc.record({
  pieces: fc
    .tuple(statusLines, fc.array(headers, { maxLength: 4 }), fc.constantFrom('\r\n', '\n', ''), bodies, statusLines)
    .map(([status, lines, end, body, more]) => [`${status}${lines.join('')}${end}`, body, more]),
  leaves: fc.constantFrom('open', 'ended', 'reset'),
});

describe('an attempt at a fuzzing receiver', () => {
  it('ends in time, with an outcome that can be stored', async () => {
    let serve: (socket: Socket) => void;
    const server = await RawServer.start(onRequest((socket) => serve(socket)));
    const sender = aSender();
    const property = fc.asyncProperty(answers, async ({ pieces, leaves }) => {
      serve = (socket) => {
        for (const piece of pieces) socket.write(piece);
        if (leaves === 'ended') socket.end();
        if (leaves === 'reset') socket.resetAndDestroy();
      };
      const outcome = await postTo(sender, server.url(), DEADLINE_MS);
      const text = 'body' in outcome ? outcome.body : '';
      return outcome.kind !== 'abandoned' && !text.includes('\u0000') && outcome.durationMs < DEADLINE_MS + 500;
    });

    await expect(fc.assert(property, { numRuns: 400, interruptAfterTimeLimit: 20_000 })).resolves.toBeUndefined();
    expect(sender.stats.inFlight).toBe(0);
    sender.close();
  });
});
