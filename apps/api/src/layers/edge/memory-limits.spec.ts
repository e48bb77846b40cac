import { Metrics } from '#libs/telemetry';
import { type FastifyInstance, fastify } from 'fastify';
import { afterEach, expect, it } from 'vitest';
import { eventually } from '#test/support/eventually.js';
import { RawConnection } from '#test/support/raw-connection.js';
import { toHttpProblem } from './to-http-problem.js';
import { limitResponseMemory } from './memory-limits.js';
import { problemBody } from './problem.js';
import { RefusalCounter } from './refusal-counter.js';

const MIB = 1024 * 1024;

let server: FastifyInstance;
afterEach(() => server.close());

async function serve(): Promise<string> {
  server = fastify({ forceCloseConnections: true });
  server.setErrorHandler((error, { url, id }, reply) => {
    const fault = toHttpProblem(error);
    return reply
      .status(fault.status)
      .headers(fault.headers ?? {})
      .send(problemBody(fault, { path: url, id }));
  });
  limitResponseMemory(server, { refusals: new RefusalCounter(new Metrics('test')), maxBytes: 20 * MIB });
  server.get('/large', (_request, reply) => reply.header('etag', '"x"').send('x'.repeat(15 * MIB)));
  server.get('/small', () => 'here');
  return server.listen({ port: 0, host: '127.0.0.1' });
}

it('refuses a large response while others are unread, and sends it once their clients are gone', async () => {
  const base = await serve();
  const stalled = new RawConnection(base);
  stalled.socket.pause();
  stalled.send('GET /large HTTP/1.1', 'host: localhost', '', '');

  const refused = await eventually(async () => {
    const answer = await fetch(`${base}/large`);
    return answer.status === 503 && answer;
  });
  expect(await refused.json()).toMatchObject({ status: 503, error: 'overloaded', instance: '/large' });
  expect([refused.headers.get('retry-after'), refused.headers.get('etag')]).toEqual(['1', null]);
  expect(await (await fetch(`${base}/small`)).text()).toBe('here');

  stalled.socket.destroy();
  await eventually(async () => (await fetch(`${base}/large`)).status === 200);
});
