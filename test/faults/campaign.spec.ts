import { expect, it } from 'vitest';
import { runCampaign } from './campaign/campaign.js';
import { roundLine } from './campaign/report.js';

/** Of these rounds each queue has one with a worker killed; Redis is wiped, paused and restarted, PostgreSQL restarted. */
const SEED = 227;
const ROUNDS = [1, 2, 3, 4];

it('loses, invents and alters nothing in the first rounds of a fault campaign', { timeout: 300_000 }, async () => {
  const results = await runCampaign({
    seed: SEED,
    rounds: ROUNDS,
    queues: process.env['REDIS_URL'] ? ['redis', 'postgres'] : ['postgres'],
    sideBySide: false,
    onResult: (result) => process.stdout.write(`${roundLine(result, ROUNDS.length)}\n`),
  });

  expect(results.flatMap(({ problems }) => problems)).toEqual([]);
  expect(results.reduce((sum, { arrived }) => sum + arrived, 0)).toBeGreaterThan(100);
});
