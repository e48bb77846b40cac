import { audit } from './audit.js';
import type { BackendKind } from './fault-targets.js';
import { type RoundPlan, planRound } from './round-plan.js';
import { type RoundResult, runRound } from './round.js';
import { type SystemUnderTest, openSystem } from './system-under-test.js';

export interface CampaignOptions {
  readonly seed: number;
  /** Numbered from 1. */
  readonly rounds: readonly number[];
  readonly queues: readonly BackendKind[];
  readonly onResult: (result: RoundResult, system: SystemUnderTest) => void;
}

/** Runs all rounds. After a failed round, the next gets a new system. */
export async function runCampaign({ seed, rounds, queues, onResult }: CampaignOptions): Promise<RoundResult[]> {
  const systems = new Map<BackendKind, SystemUnderTest>();
  const results: RoundResult[] = [];
  try {
    for (const round of rounds) {
      const plan = planRound(seed, round, queues);
      const system = systems.get(plan.queue) ?? (await openSystem(plan.queue));
      systems.set(plan.queue, system);
      const result = await runRound(system, plan).catch((error: unknown) => abortedResult(plan, error));
      results.push(result);
      onResult(result, system);
      if (result.problems.length === 0) continue;
      systems.delete(plan.queue);
      await system.close();
    }
    return results;
  } finally {
    for (const system of systems.values()) await system.close();
  }
}

/** An interrupted round proves nothing. */
function abortedResult(plan: RoundPlan, error: unknown): RoundResult {
  const records = { events: [], owed: [], deliveries: [], timeouts: [] };
  const nothing = audit({ webhooks: [], calls: [], arrivals: [], records, maxAttempts: 0 });
  return { ...nothing, plan, seconds: 0, problems: [`broken off: ${(error as Error).stack ?? String(error)}`] };
}
