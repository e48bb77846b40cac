// @module-tag long
import { expect, it } from 'vitest';
import { resultLine } from './campaign/report.js';
import { runSteady } from './campaign/steady.js';

const MINUTES = 0.25;

const say = (line: string) => process.stdout.write(`${line}\n`);

it(
  'loses nothing at a steady pace with a receiver that fails and one that hangs, and owes nothing afterwards',
  { timeout: 240_000 },
  async () => {
    const result = await runSteady(process.env['REDIS_URL'] ? 'redis' : 'postgres', MINUTES, say);

    say(resultLine('a quarter of a minute', result));
    expect(result.problems).toEqual([]);
    expect(result.arrived).toBeGreaterThan(100);
  },
);
