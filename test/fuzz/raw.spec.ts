import { once } from 'node:events';
import { connect } from 'node:net';
import { beforeAll, describe, expect, it } from 'vitest';
import { freePort } from '../../apps/launcher/src/ports.js';
import { deskForFile } from '#test/support/desk-for-file.js';
import { ready } from '#test/support/app-process.js';
import { HttpConnection } from './http-connection.js';
import { RAW_SHAPES } from './raw-shapes.js';
import type { Wire, WireEnding } from './wire.js';

const desk = deskForFile();
let worker: string;
beforeAll(async () => {
  const port = `${await freePort()}`;
  worker = (await desk.worker({ PORT: port, WORKER_PORT: port })).base;
  await ready(worker);
});

const DECIDED = RAW_SHAPES.filter(({ status }) => status !== undefined);

const WORKERS: Readonly<Record<string, number>> = { 'no request at all': 400, 'a tunnel': 405, 'an expectation': 417 };

describe('the port of a worker', () => {
  it('answers any request in JSON', async () => {
    const asked = RAW_SHAPES.filter(({ name }) => name in WORKERS).map(async ({ name, wire }) => {
      const { answers } = await new HttpConnection(worker).exchange(wire('none'));
      return [name, { status: answers[0]?.status, type: answers[0]?.headers.get('content-type') }] as const;
    });

    expect(Object.fromEntries(await Promise.all(asked))).toEqual(
      Object.fromEntries(Object.entries(WORKERS).map(([name, status]) => [name, { status, type: 'application/json' }])),
    );
  });
});

/** Sends a request and resets at once, so that the response meets a closed connection. */
const resetAfter = (base: string) =>
  new Promise<void>((resolve) => {
    const { hostname, port } = new URL(base);
    const socket = connect(Number(port), hostname, () =>
      socket.write('CONNECT a:1 HTTP/1.1\r\nhost: a\r\n\r\n', () => socket.resetAndDestroy()),
    );
    socket.on('error', () => undefined).on('close', () => resolve());
  });

describe('a client that requests a tunnel and resets the connection', () => {
  it('ends neither the API nor a worker', async () => {
    const bases = [(await desk.apiProcess()).base, worker];
    for (const base of bases) await Promise.all(Array.from({ length: 50 }, () => resetAfter(base)));

    for (const base of bases) expect((await fetch(`${base}/healthz`)).status).toBe(200);
  });
});

describe('a client that sends more after its request was refused', () => {
  it('keeps its connection, and so the response', async () => {
    const { base } = await desk.apiProcess();
    const { hostname, port } = new URL(base);
    const socket = connect({ port: Number(port), host: hostname, allowHalfOpen: true });
    const failures: Error[] = [];
    socket.on('error', (error) => failures.push(error));
    socket.write(`GET / HTTP/1.1\r\nhost: a\r\nx: ${'a'.repeat(70_000)}`);
    const [answer] = (await once(socket, 'data')) as [Buffer];
    for (let sent = 0; sent < 5; sent++) {
      socket.write('host: a\r\n');
      // The API has read it once it answers another request.
      await fetch(`${base}/healthz`);
    }

    expect(answer.toString()).toMatch(/^HTTP\/1.1 431 /);
    expect(failures).toEqual([]);
    socket.destroy();
  });
});

const READYZ = 'HEAD /readyz HTTP/1.1\r\nhost: a\r\n';

/**
 * The fault of the first two follows their header, when the request is already being answered; that of the others comes
 * before.
 */
const BROKEN_BY_HEAD: Readonly<Record<string, readonly [string, WireEnding]>> = {
  'a forbidden trailer': [
    `${READYZ}transfer-encoding: chunked\r\ntrailer: x\r\n\r\n0\r\nx: 1\r\ncontent-length: 9\r\n\r\n`,
    'read',
  ],
  'an invalid second request': [`${READYZ}\r\nnonsense\r\n\r\n`, 'read'],
  'no address': ['HEAD  HTTP/1.1\r\nhost: a\r\n\r\n', 'read'],
  'an invalid address': ['HEAD readyz HTTP/1.1\r\nhost: a\r\n\r\n', 'read'],
  'an end within its headers': [`${READYZ}cookie: a`, 'half-close'],
};

describe.each(Object.entries(BROKEN_BY_HEAD))('a HEAD request with %s', (_what, [bytes, ending]) => {
  const wire: Wire = { pieces: [Buffer.from(bytes)], ending, methods: ['HEAD'] };

  it('gets no body after the header of its response, from the API and from a worker', async () => {
    for (const base of [desk.base, worker]) {
      const { answers, fault } = await new HttpConnection(base).exchange(wire);
      expect({ base, fault, answers: answers.length }).toEqual({ base, fault: undefined, answers: 1 });
    }
  });
});

describe('a client that half-closes within the header of its request', () => {
  it.each(['G', 'GET /readyz HTTP/1.1\r\n', 'POST /sign-in HTTP/1.1\r\nhost: a\r\ncookie: b'])(
    'gets a whole answer to %j',
    async (bytes) => {
      const wire: Wire = { pieces: [Buffer.from(bytes)], ending: 'half-close', methods: [bytes.split(' ')[0]!] };
      const { answers, fault } = await new HttpConnection(desk.base).exchange(wire);

      expect({ fault, statuses: answers.map(({ status }) => status) }).toEqual({ fault: undefined, statuses: [400] });
    },
  );
});

describe('bytes that are barely HTTP', () => {
  it.each(DECIDED)('get a response or a problem of the API: $name', async ({ wire, status }) => {
    const { answers } = await new HttpConnection(desk.base).exchange(wire(desk.account.owner.token));

    expect(answers[0]).toMatchObject({ status });
    expect(answers[0]!.headers.get('content-type')).toContain(
      status === 200 ? 'application/json' : 'application/problem+json',
    );
  });
});
