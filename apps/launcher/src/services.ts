import type { Ground } from './ground.js';
import { logFolder } from './home.js';
import { findPostgres } from './postgres/binaries.js';
import { startPostgres } from './postgres/server.js';
import { findRedis } from './redis/find.js';
import { startRedis } from './redis/server.js';
import { Refusal, say } from './say.js';
import type { Server } from './server.js';

/** The databases of this run: those named by the environment, or our own. */
export interface Services {
  databaseUrl: string;
  redisUrl: string | undefined;
  postgres: Server | undefined;
  redis: Server | undefined;
}

export async function startServices(ground: Ground): Promise<Services> {
  const { servers, environment } = ground.options;
  if (servers === 'joined') {
    const { DATABASE_URL = '', REDIS_URL: redisUrl } = environment;
    return { databaseUrl: DATABASE_URL, redisUrl, postgres: undefined, redis: undefined };
  }
  const [postgres, redis] = await Promise.allSettled([choosePostgres(ground), chooseRedis(ground)]);
  // Both are awaited first: one that is still starting could not be stopped.
  if (postgres.status === 'rejected') throw postgres.reason;
  if (redis.status === 'rejected') throw redis.reason;
  return { ...postgres.value, ...redis.value };
}

async function choosePostgres(ground: Ground): Promise<Pick<Services, 'databaseUrl' | 'postgres'>> {
  const given = ground.options.environment['DATABASE_URL'];
  if (given) {
    say('PostgreSQL: the one DATABASE_URL names');
    return { databaseUrl: given, postgres: undefined };
  }
  const postgres = await ownPostgres(ground, ground.home.servers);
  return { databaseUrl: postgres.url, postgres };
}

async function chooseRedis(ground: Ground): Promise<Pick<Services, 'redisUrl' | 'redis'>> {
  const { environment, redisRequired, withoutRedis } = ground.options;
  if (environment['REDIS_URL'] && !withoutRedis) {
    say('Redis: the one REDIS_URL names');
    return { redisUrl: environment['REDIS_URL'], redis: undefined };
  }
  const redis = withoutRedis ? undefined : await ownRedis(ground, ground.home.servers, ground.options.durable);
  if (!redis && redisRequired) {
    throw new Refusal(
      'No Redis could be had, and with CI=true the tests need one: install redis-server or set REDIS_URL.',
    );
  }
  if (!redis)
    say(
      'Redis: none, so the queue is kept in PostgreSQL (slower; install redis-server or set REDIS_URL to change that)',
    );
  return { redisUrl: redis?.url, redis };
}

/** `parent` holds its data; a second one for a single test has another. */
export async function ownPostgres(ground: Ground, parent: string): Promise<Server> {
  const { options, account, roster } = ground;
  const binaries = findPostgres(options.environment, account);
  const place = { parent, logs: logs(parent, ground), account, durable: options.durable };
  const server = await startPostgres(binaries, place, roster);
  say(`PostgreSQL: ${binaries.version}, ${binaries.origin}, on 127.0.0.1:${server.port}`);
  return server;
}

export async function ownRedis(ground: Ground, parent: string, durable: boolean): Promise<Server | undefined> {
  const { account, roster } = ground;
  const program = await findRedis(ground);
  if (!program) return undefined;
  const place = { parent, logs: logs(parent, ground), account, durable };
  const server = await startRedis(program, place, roster);
  say(`Redis: ${program.version}, ${program.origin}, on 127.0.0.1:${server.port}`);
  return server;
}

function logs(parent: string, { home }: Ground): string {
  return logFolder(parent === home.servers ? home.folder : parent);
}
