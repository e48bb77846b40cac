import type { IncomingMessage } from 'node:http';
import { TooMany } from '#libs/entities';
import type { Settings } from '#libs/settings';
import type { FastifyInstance } from 'fastify';
import { OpenCounts, UncountedAddresses } from './address-counts.js';
import type { RefusalCounter } from './refusal-counter.js';

const releases = new WeakMap<IncomingMessage, () => void>();

/** For responses that stay open by design and have their own limit. */
export const stopCountingAsOpen = (request: IncomingMessage): void => releases.get(request)?.();

export function limitAddresses(
  server: FastifyInstance,
  { settings, refusals }: { settings: Settings; refusals: RefusalCounter },
): void {
  const uncounted = new UncountedAddresses(settings.TRUSTED_PROXIES);
  limitConnections(server, { max: settings.CONNECTIONS_PER_ADDRESS, uncounted, refusals });
  const open = new OpenCounts(settings.OPEN_REQUESTS_PER_ADDRESS);

  server.addHook('onRequest', (request, reply, done) => {
    if (uncounted.has(request.ip)) return done();
    const release = open.enter(request.ip);
    if (!release) {
      refusals.count('open_requests');
      void reply.header('connection', 'close');
      const detail = `An IP address can have ${settings.OPEN_REQUESTS_PER_ADDRESS} open requests. Try again in a second.`;
      return done(new TooMany('too_many_open_requests', detail, 1));
    }
    releases.set(request.raw, release);
    reply.raw.once('close', release);
    // A response queued behind an earlier one emits no 'close' when the connection ends.
    request.raw.once('close', () => request.raw.socket.destroyed && release());
    done();
  });
}

function limitConnections(
  { server }: FastifyInstance,
  { max, uncounted, refusals }: { max: number; uncounted: UncountedAddresses; refusals: RefusalCounter },
): void {
  const connections = new OpenCounts(max);
  server.on('connection', (socket) => {
    const address = socket.remoteAddress ?? '';
    if (uncounted.has(address)) return;
    const release = connections.enter(address);
    if (release) socket.once('close', release);
    else {
      refusals.count('connections');
      socket.destroy();
    }
  });
}
