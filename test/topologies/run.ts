import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { startServer } from '#test/support/servers.js';
import { PgBouncer } from './support/pgbouncer.js';
import { RedisCluster } from './support/redis-cluster.js';
import { PASSWORD, RedisNode } from './support/redis-node.js';
import { Sentinels } from './support/sentinels.js';
import { VALKEY } from './support/valkey.js';

/** The environment of the tests' desks, and how to stop its servers. */
interface SetUp {
  readonly environment: Readonly<Record<string, string>>;
  readonly stop: () => Promise<void>;
}

const TOPOLOGIES: Readonly<Record<string, () => Promise<SetUp>>> = {
  single: async () => ({ environment: {}, stop: () => Promise.resolve() }),
  sentinel: async () => ofRedis(await Sentinels.start()),
  cluster: async () => ofRedis(await RedisCluster.start()),
  pgbouncer: async () => {
    const server = await startServer('postgres');
    const pooler = await PgBouncer.inFrontOf(server.url);
    return {
      environment: { DATABASE_URL: server.url, TEST_POOLER_PORT: `${pooler.port}` },
      stop: async () => {
        for (const one of [pooler, server]) await one.stop();
      },
    };
  },
};

export const TOPOLOGY_NAMES = Object.keys(TOPOLOGIES);

/** The same on Valkey. */
const ON_VALKEY: Readonly<Record<string, () => Promise<SetUp>>> = {
  valkey: async () => {
    const node = await RedisNode.start({ lines: () => [`requirepass ${PASSWORD}`, 'save ""'], on: VALKEY });
    return ofRedis({ settings: { REDIS_URL: `redis://:${PASSWORD}@127.0.0.1:${node.port}` }, stop: () => node.stop() });
  },
  'valkey-sentinel': async () => ofRedis(await Sentinels.start([VALKEY, VALKEY, VALKEY])),
  'valkey-cluster': async () => ofRedis(await RedisCluster.start(Array.from({ length: 6 }, () => VALKEY))),
};

const SET_UPS = { ...TOPOLOGIES, ...ON_VALKEY };

export const SET_UP_NAMES = Object.keys(SET_UPS);

const ofRedis = (place: Pick<Sentinels, 'settings' | 'stop'>): SetUp => ({
  environment: { TEST_REDIS_SETTINGS: JSON.stringify(place.settings) },
  stop: () => place.stop(),
});

/** The default tests. */
const TESTS = ['test/pipeline', 'test/api'];

/** Runs these tests under each set-up, one after the other. Returns whether all passed. */
export async function runTopologies(
  names: readonly string[],
  say: (line: string) => void,
  tests: readonly string[],
): Promise<boolean> {
  const failed: string[] = [];
  for (const name of names) {
    say(`topology ${name}`);
    const begun = performance.now();
    if (!(await passes(name, tests.length === 0 ? TESTS : tests))) failed.push(name);
    say(
      `topology ${name}: ${failed.includes(name) ? 'FAILED' : 'passed'} in ${Math.round((performance.now() - begun) / 1000)} s`,
    );
  }
  return failed.length === 0;
}

async function passes(name: string, files: readonly string[]): Promise<boolean> {
  const { environment, stop } = await SET_UPS[name]!();
  try {
    const tests = spawn('npx', ['vitest', 'run', '--experimental.fsModuleCache', ...files], {
      stdio: 'inherit',
      env: { ...withoutVitest(process.env), ...environment },
    });
    const [code] = (await once(tests, 'exit')) as [number | null];
    return code === 0;
  } finally {
    await stop();
  }
}

/** When a test runs this. */
const withoutVitest = (environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv =>
  Object.fromEntries(Object.entries(environment).filter(([name]) => !name.startsWith('VITEST')));
