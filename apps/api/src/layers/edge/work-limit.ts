import { Unavailable } from '#libs/entities';
import type { Settings } from '#libs/settings';
import type { FastifyInstance } from 'fastify';
import type { Pool } from 'pg';
import { PROBES } from './probes.js';
import type { RefusalCounter } from './refusal-counter.js';

/** At full load the last of them waits for about a second. A burst of requests must not be refused. */
const WAITING_PER_CONNECTION = 20;

/** Refuses requests while many others wait for a connection to PostgreSQL. */
export function limitWork(
  server: FastifyInstance,
  {
    settings,
    pool,
    refusals,
  }: { settings: Pick<Settings, 'DATABASE_POOL_SIZE'>; pool: Pool; refusals: RefusalCounter },
): void {
  const max = WAITING_PER_CONNECTION * settings.DATABASE_POOL_SIZE;
  server.addHook('preHandler', ({ url }, _reply, done) => {
    if (pool.waitingCount < max || PROBES.has(url)) return done();
    refusals.count('overload');
    done(new Unavailable('overloaded', 'Too many requests arrive at once. Try again in a second.'));
  });
}
