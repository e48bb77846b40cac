import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { type LaunchContext, logFolder, readOrCreateSecret } from './work-directory.js';
import { findPostgres } from './postgres/binaries.js';
import { connect, startPostgres } from './postgres/server.js';
import { findRedis, ping, startRedis } from './redis/server.js';
import { UserFacingError, printProgress } from './terminal.js';
import type { ManagedServer, ServerPlace } from './server.js';
import { randomBytes } from 'node:crypto';
import { connectableHost } from './ports.js';

export interface Services {
  databaseUrl: string;
  redisUrl: string | undefined;
  postgres: ManagedServer | undefined;
  redis: ManagedServer | undefined;
}

export async function startServices(context: LaunchContext): Promise<Services> {
  const { servers, environment } = context.options;
  if (servers === 'joined') {
    const { DATABASE_URL = '', REDIS_URL: redisUrl } = environment;
    return { databaseUrl: DATABASE_URL, redisUrl, postgres: undefined, redis: undefined };
  }
  const [postgres, redis] = await Promise.allSettled([resolvePostgres(context), resolveRedis(context)]);
  // Waits for both, because a server that is still starting cannot be stopped.
  if (postgres.status === 'rejected') throw postgres.reason;
  if (redis.status === 'rejected') throw redis.reason;
  return { ...postgres.value, ...redis.value };
}

async function resolvePostgres(context: LaunchContext): Promise<Pick<Services, 'databaseUrl' | 'postgres'>> {
  const given = context.options.environment['DATABASE_URL'];
  if (given) {
    await assertAnswers('PostgreSQL', 'DATABASE_URL', () => connect(given));
    printProgress('PostgreSQL: the server of DATABASE_URL');
    return { databaseUrl: given, postgres: undefined };
  }
  const postgres = await startOwnPostgres(context, context.workDirectory.servers);
  return { databaseUrl: postgres.url, postgres };
}

async function resolveRedis(context: LaunchContext): Promise<Pick<Services, 'redisUrl' | 'redis'>> {
  const { environment, redisRequired, withoutRedis } = context.options;
  const given = environment['REDIS_URL'];
  if (given && !withoutRedis) {
    await assertAnswers('Redis', 'REDIS_URL', (signal) => ping(given, signal));
    printProgress('Redis: the server of REDIS_URL');
    return { redisUrl: given, redis: undefined };
  }
  const redis = withoutRedis
    ? undefined
    : await startOwnRedis(context, context.workDirectory.servers, context.options.durable);
  if (!redis && redisRequired)
    throw new UserFacingError(
      'There is no Redis, and with CI=true the tests need one: install redis-server or set REDIS_URL.',
    );
  if (!redis)
    printProgress(
      'Redis: none, so the queue is kept in PostgreSQL (slower; install redis-server or set REDIS_URL to change that)',
    );
  return { redisUrl: redis?.url, redis };
}

export async function startOwnPostgres(context: LaunchContext, parent: string): Promise<ManagedServer> {
  const binaries = findPostgres(context.options.environment, context.serverUser);
  const server = await startPostgres(binaries, placeIn(parent, context, context.options.durable), context.processes);
  printProgress(`PostgreSQL: ${binaries.version}, ${binaries.origin}, on 127.0.0.1:${server.port}`);
  return server;
}

export async function startOwnRedis(
  context: LaunchContext,
  parent: string,
  durable: boolean,
): Promise<ManagedServer | undefined> {
  const program = await findRedis(context);
  if (!program) return undefined;
  const server = await startRedis(program, placeIn(parent, context, durable), context.processes);
  printProgress(`Redis: ${program.version}, ${program.origin}, on 127.0.0.1:${server.port}`);
  return server;
}

function placeIn(parent: string, context: LaunchContext, durable: boolean): ServerPlace {
  const { workDirectory, serverUser: user, options } = context;
  const logs = logFolder(parent === workDirectory.servers ? workDirectory.folder : parent);
  return { parent, logs, user, durable, ephemeral: options.servers === 'ephemeral' };
}

/** Closes its connection when the signal comes. */
type Ask = (signal: AbortSignal) => Promise<void>;

const ANSWER_WITHIN_MS = 5_000;
/** Errors of a server that is still starting, as in a set of containers. All others are final. */
const STARTING = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'ECONNRESET', '57P03']);

/** Fails early, with the name of the setting, when a server that the user named does not respond. */
async function assertAnswers(name: string, setting: string, ask: Ask): Promise<void> {
  const giveUpAt = Date.now() + ANSWER_WITHIN_MS;
  for (;;) {
    const refusal = await withDeadline(ask).then(
      () => undefined,
      (error: Error & { code?: string }) => error,
    );
    if (!refusal) return;
    if (Date.now() > giveUpAt || !STARTING.has(refusal.code ?? ''))
      throw new UserFacingError(
        `${name} at ${setting} does not respond (${refusal.message || refusal.code}): start that server, correct ${setting}, or unset it and one is started here.`,
      );
    await pause(250);
  }
}

/** A host behind a silent firewall never refuses. */
function withDeadline(ask: Ask): Promise<void> {
  const settled = new AbortController();
  const late = pause(ANSWER_WITHIN_MS, undefined, { signal: settled.signal }).then(() => {
    throw new Error(`no response within ${ANSWER_WITHIN_MS / 1000} s`);
  });
  return Promise.race([ask(settled.signal), late]).finally(() => settled.abort());
}

/** The environment of a program. The user's variables take precedence. */
export function programEnvironment(context: LaunchContext, services: Services): NodeJS.ProcessEnv {
  const { options, workDirectory } = context;
  const dataDir = options.servers === 'ephemeral' ? workDirectory.folder : options.dataDir;
  const environment: NodeJS.ProcessEnv = {
    ...(options.servers !== 'joined' && { SECRETS_KEY: ownKey(dataDir) }),
    ...(options.servers === 'persistent' && {
      PUBLIC_URL: `http://${connectableHost(options.host)}:${options.port}`,
      WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8,::1/128',
      MAIL_ALLOWED_NETWORKS: '127.0.0.0/8,::1/128',
    }),
    ...options.environment,
    DATABASE_URL: services.databaseUrl,
    HOST: options.host,
    PORT: `${options.port}`,
    DATA_DIR: dataDir,
  };
  // Only the launcher asks for development.
  environment['NODE_ENV'] ||= 'development';
  delete environment['REDIS_URL'];
  if (services.redisUrl) environment['REDIS_URL'] = services.redisUrl;
  // The launcher's own server has no pooler.
  if (services.postgres) environment['DATABASE_DIRECT_URL'] = services.databaseUrl;
  return environment;
}

/** Created at the first start, so that no two installations share a key. */
const ownKey = (dataDir: string): string =>
  readOrCreateSecret(path.join(dataDir, 'secrets.key'), () => `local:${randomBytes(32).toString('base64')}`);
