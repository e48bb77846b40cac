import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { PgBouncer } from './support/pgbouncer.js';
import { RedisCluster } from './support/redis-cluster.js';
import { Sentinels } from './support/sentinels.js';

/** What the desks of the tests then stand on, told by the environment; and how it ends. */
interface SetUp {
  readonly environment: Readonly<Record<string, string>>;
  readonly stop: () => Promise<void>;
}

const TOPOLOGIES: Readonly<Record<string, () => Promise<SetUp>>> = {
  sentinel: async () => ofRedis(await Sentinels.start()),
  cluster: async () => ofRedis(await RedisCluster.start()),
  pgbouncer: async () => {
    const pooler = await PgBouncer.inFrontOf(process.env['DATABASE_URL']!);
    return { environment: { TEST_POOLER_PORT: `${pooler.port}` }, stop: () => pooler.stop() };
  },
};

export const TOPOLOGY_NAMES = Object.keys(TOPOLOGIES);

const ofRedis = (place: Sentinels | RedisCluster): SetUp => ({
  environment: { TEST_REDIS_SETTINGS: JSON.stringify(place.settings) },
  stop: () => place.stop(),
});

/** Runs the tests of the pipeline under each set-up, one after the other. Gives whether all passed. */
export async function runTopologies(names: readonly string[], say: (line: string) => void): Promise<boolean> {
  const failed: string[] = [];
  for (const name of names) {
    say(`topology ${name}`);
    const begun = performance.now();
    if (!(await passes(name))) failed.push(name);
    say(
      `topology ${name}: ${failed.includes(name) ? 'FAILED' : 'passed'} in ${Math.round((performance.now() - begun) / 1000)} s`,
    );
  }
  return failed.length === 0;
}

async function passes(name: string): Promise<boolean> {
  const { environment, stop } = await TOPOLOGIES[name]!();
  try {
    const tests = spawn('npx', ['vitest', 'run', 'test/pipeline'], {
      stdio: 'inherit',
      env: { ...process.env, ...environment },
    });
    const [code] = (await once(tests, 'exit')) as [number | null];
    return code === 0;
  } finally {
    await stop();
  }
}
