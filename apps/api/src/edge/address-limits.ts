import type { IncomingMessage } from 'node:http';
import type { Settings } from '#libs/settings';
import { HttpException } from '@nestjs/common';
import type { FastifyInstance } from 'fastify';
import { OpenCounts } from './open-counts.js';
import { UncountedAddresses } from './uncounted-addresses.js';
import type { RefusalCounter } from './refusal-counter.js';

const releases = new WeakMap<IncomingMessage, () => void>();

/** For an answer that stays open by design, and is bounded in another way. */
export const stopCountingAsOpen = (request: IncomingMessage): void => releases.get(request)?.();

/** Bounds what the clients of one address may have open at once, in this process. */
export function limitAddresses(
  server: FastifyInstance,
  { settings, refusals }: { settings: Settings; refusals: RefusalCounter },
): void {
  const uncounted = new UncountedAddresses(settings.TRUSTED_PROXIES);
  limitConnections(server, { most: settings.CONNECTIONS_PER_ADDRESS, uncounted, refusals });
  const open = new OpenCounts(settings.OPEN_REQUESTS_PER_ADDRESS);

  server.addHook('onRequest', (request, reply, done) => {
    if (uncounted.has(request.ip)) return done();
    const release = open.enter(request.ip);
    if (!release) {
      refusals.count('open_requests');
      void reply.header('connection', 'close');
      return done(tooManyOpenRequests(settings.OPEN_REQUESTS_PER_ADDRESS));
    }
    releases.set(request.raw, release);
    reply.raw.once('close', release);
    // An answer that still waits behind an earlier one of its connection is not told that the connection has ended.
    request.raw.once('close', () => request.raw.socket.destroyed && release());
    done();
  });
}

/** Nothing has been read from a connection yet, so there is nothing to answer. */
function limitConnections(
  { server }: FastifyInstance,
  { most, uncounted, refusals }: { most: number; uncounted: UncountedAddresses; refusals: RefusalCounter },
): void {
  const connections = new OpenCounts(most);
  server.on('connection', (socket) => {
    const address = socket.remoteAddress ?? '';
    if (uncounted.has(address)) return;
    const release = connections.enter(address);
    if (release) {
      socket.once('close', release);
      return;
    }
    refusals.count('connections');
    socket.destroy();
  });
}

function tooManyOpenRequests(most: number): HttpException {
  const detail = `An address may have ${most} requests open at once. Try again in a second.`;
  return new HttpException({ error: 'too_many_open_requests', detail, headers: { 'retry-after': '1' } }, 429);
}
