import type { BackendKind } from './fault-targets.js';
import { type RoundPlan, planRound } from './round-plan.js';
import { type RoundResult, runRound } from './round.js';
import { SystemUnderTest } from './system-under-test.js';

export interface CampaignOptions {
  readonly seed: number;
  /** Numbered from 1. */
  readonly rounds: readonly number[];
  readonly queues: readonly BackendKind[];
  /** Runs the rounds of both queues in parallel. Needs four cores. */
  readonly sideBySide: boolean;
  readonly onResult: (result: RoundResult, fixture: SystemUnderTest) => void;
}

/** Runs all rounds. After a failed round, the next gets a new system. */
export async function runCampaign(options: CampaignOptions): Promise<RoundResult[]> {
  const plans = options.rounds.map((round) => planRound(options.seed, round, options.queues));
  const tracks = options.sideBySide
    ? options.queues.map((name) => plans.filter(({ queue }) => queue === name))
    : [plans];
  return (await Promise.all(tracks.map((track) => new RoundRunner(options.onResult).run(track)))).flat();
}

class RoundRunner {
  private readonly stages = new Map<BackendKind, SystemUnderTest>();

  constructor(private readonly onResult: CampaignOptions['onResult']) {}

  async run(plans: readonly RoundPlan[]): Promise<RoundResult[]> {
    const results: RoundResult[] = [];
    try {
      for (const plan of plans) results.push(await this.runOne(plan));
      return results;
    } finally {
      for (const fixture of this.stages.values()) await fixture.close();
    }
  }

  private async runOne(plan: RoundPlan): Promise<RoundResult> {
    const fixture = this.stages.get(plan.queue) ?? (await SystemUnderTest.open(plan.queue));
    this.stages.set(plan.queue, fixture);
    const result = await runRound(fixture, plan).catch((error: unknown) => abortedResult(plan, error));
    this.onResult(result, fixture);
    if (result.problems.length > 0) {
      this.stages.delete(plan.queue);
      await fixture.close();
    }
    return result;
  }
}

/** An interrupted round proves nothing. */
function abortedResult(plan: RoundPlan, error: unknown): RoundResult {
  const nothing = {
    calls: 0,
    unknown: 0,
    events: 0,
    due: 0,
    arrived: 0,
    exhausted: 0,
    duplicates: 0,
    answeredLate: 0,
    lost: [],
  };
  return { ...nothing, plan, seconds: 0, problems: [`broken off: ${(error as Error).stack ?? String(error)}`] };
}
