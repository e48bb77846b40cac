import { describe, expect, it } from 'vitest';
import { runCampaign } from './campaign/campaign.js';
import type { BackendKind } from './campaign/fault-targets.js';
import { roundLine } from './campaign/report.js';
import { planRound } from './campaign/round-plan.js';

const SEED = 378_714;
const ROUNDS = [1, 2, 3, 4];
const QUEUES: readonly BackendKind[] = ['redis', 'postgres'];

describe('the first rounds of a fault campaign', () => {
  it('hit every kind of process with either queue', () => {
    const plans = ROUNDS.map((round) => planRound(SEED, round, QUEUES));
    const struck = plans.flatMap(({ queue, faults }) => faults.map(({ fault }) => `${queue}: ${fault}`));

    expect(struck).toEqual(
      expect.arrayContaining([
        'redis: worker killed',
        'redis: Redis out of memory',
        'redis: Redis wiped',
        'redis: transactions cut',
        'redis: API clock ahead',
        'redis: PostgreSQL killed',
        'postgres: worker killed',
        'postgres: worker clock ahead',
        'postgres: IMAP server floods',
        'postgres: PostgreSQL restarted',
        'postgres: session of PostgreSQL killed',
      ]),
    );
  });

  it('lose, invent and alter nothing', { timeout: 300_000 }, async () => {
    const results = await runCampaign({
      seed: SEED,
      rounds: ROUNDS,
      queues: process.env['REDIS_URL'] ? QUEUES : ['postgres'],
      sideBySide: false,
      onResult: (result) => process.stdout.write(`${roundLine(result, ROUNDS.length)}\n`),
    });

    expect(results.flatMap(({ problems }) => problems)).toEqual([]);
    expect(results.reduce((sum, { arrived }) => sum + arrived, 0)).toBeGreaterThan(100);
  });
});
