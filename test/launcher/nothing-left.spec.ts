// @module-tag long
import { describe, expect, it } from 'vitest';
import { isAlive } from '../../apps/launcher/src/process-registry.js';
import { createDatabase } from '#test/support/database.js';
import { eventually } from '#test/support/eventually.js';
import { Launched, ROOT } from './launched.js';
import { descendantsOf, type Descendant } from './process-table.js';

const WORKER = 'worker.js';

const WAYS_TO_END = {
  'Ctrl-C': ({ pid }: Launched) => process.kill(pid, 'SIGINT'),
  SIGTERM: ({ pid }: Launched) => process.kill(pid, 'SIGTERM'),
  'the terminal closing': ({ pid }: Launched) => process.kill(pid, 'SIGHUP'),
  'kill -9 of the launcher': ({ pid }: Launched) => process.kill(pid, 'SIGKILL'),
  'kill -9 of the command': (_launched: Launched, command: Descendant) => process.kill(command.pid, 'SIGKILL'),
};

type Way = keyof typeof WAYS_TO_END;

describe.concurrent('a benchmark', () => {
  it.concurrent.each<Way>(['Ctrl-C', 'kill -9 of the launcher', 'kill -9 of the command'])(
    'leaves no process behind after %s',
    { timeout: 120_000 },
    async (way) => {
      const database = await createDatabase();
      const bench = run(['dist/bench/main.js', 'isolation'], { DATABASE_URL: database.url });

      expect(await leftAfter(bench, way)).toEqual([]);
      await database.drop();
    },
  );
});

describe.concurrent('a fault campaign', () => {
  it.concurrent.each<Way>(['SIGTERM', 'the terminal closing'])(
    'leaves no process behind after %s',
    { timeout: 120_000 },
    async (way) => {
      const campaign = run(['dist/test/faults/campaign/main.js', '--queue', 'postgres']);

      expect(await leftAfter(campaign, way)).toEqual([]);
    },
  );
});

function run(command: string[], environment: Record<string, string> = {}): Launched {
  return Launched.start(['run', '--ephemeral', '--no-redis', '--', process.execPath, ...command], {
    folder: ROOT,
    environment,
  });
}

/** Ends the launcher while a worker runs, and returns those of its processes that remain. */
async function leftAfter(launched: Launched, way: Way): Promise<string[]> {
  const family = await eventually(
    () => {
      const all = descendantsOf(launched.pid);
      return all.some(({ commandLine }) => commandLine.includes(WORKER)) && all;
    },
    { withinMs: 60_000 },
  );
  const command = family.find(({ commandLine }) => /dist\/(bench|test)\S+main\.js/.test(commandLine))!;
  WAYS_TO_END[way](launched, command);
  const left = () => family.filter(isAlive);
  await eventually(() => left().length === 0).catch(() => undefined);
  const found = left();
  for (const { pid } of found) process.kill(pid, 'SIGKILL');
  return found.map(({ commandLine }) => commandLine);
}
