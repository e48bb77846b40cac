import { describe, expect, it } from 'vitest';
import { runCampaign } from './campaign/campaign.js';
import type { BackendKind } from './campaign/fault-targets.js';
import { FAULTS } from './campaign/faults.js';
import { roundLine } from './campaign/report.js';
import { planRound } from './campaign/round-plan.js';

const SEED = 378_714;
const ROUNDS = [1, 2, 3, 4];
const QUEUES: readonly BackendKind[] = ['redis', 'postgres'];

describe('the first rounds of a fault campaign', () => {
  it('hit every kind of process with either queue', () => {
    const plans = ROUNDS.map((round) => planRound(SEED, round, QUEUES));
    const targets = plans.flatMap(({ queue, faults }) => faults.map(({ fault }) => `${queue} ${FAULTS[fault].target}`));

    expect(new Set(targets)).toEqual(
      new Set([
        'postgres mailbox',
        'postgres postgres',
        'postgres worker',
        'redis api',
        'redis postgres',
        'redis proxy',
        'redis receiver',
        'redis redis',
        'redis worker',
      ]),
    );
  });

  it('lose, invent and alter nothing in the first round', { timeout: 120_000 }, async () => {
    expect(await problemsOf(ROUNDS.slice(0, 1))).toEqual([]);
  });

  it('lose, invent and alter nothing in the others', { timeout: 300_000, tags: ['long'] }, async () => {
    expect(await problemsOf(ROUNDS.slice(1))).toEqual([]);
  });
});

async function problemsOf(rounds: readonly number[]): Promise<string[]> {
  const results = await runCampaign({
    seed: SEED,
    rounds,
    queues: process.env['REDIS_URL'] ? QUEUES : ['postgres'],
    onResult: (result) => process.stdout.write(`${roundLine(result, ROUNDS.length)}\n`),
  });
  const arrived = results.reduce((sum, result) => sum + result.arrived, 0);
  return [...results.flatMap(({ problems }) => problems), ...(arrived < 25 ? [`only ${arrived} arrived`] : [])];
}
