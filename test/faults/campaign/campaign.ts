import type { QueueKind } from './cast.js';
import { type Plan, planOf } from './plan.js';
import { type Result, playRound } from './round.js';
import { Stage } from './stage.js';

export interface CampaignOptions {
  readonly seed: number;
  /** Their numbers, from 1. */
  readonly rounds: readonly number[];
  readonly queues: readonly QueueKind[];
  /** Rounds of the one queue beside those of the other, where there are cores for it. */
  readonly sideBySide: boolean;
  readonly onResult: (result: Result, stage: Stage) => void;
}

/** All rounds, also after one that fails; that one leaves its stage to nobody. */
export async function runCampaign(options: CampaignOptions): Promise<Result[]> {
  const plans = options.rounds.map((round) => planOf(options.seed, round, options.queues));
  const tracks = options.sideBySide
    ? options.queues.map((name) => plans.filter(({ queue }) => queue === name))
    : [plans];
  return (await Promise.all(tracks.map((track) => new Track(options.onResult).run(track)))).flat();
}

class Track {
  private readonly stages = new Map<QueueKind, Stage>();

  constructor(private readonly onResult: CampaignOptions['onResult']) {}

  async run(plans: readonly Plan[]): Promise<Result[]> {
    const results: Result[] = [];
    try {
      for (const plan of plans) results.push(await this.play(plan));
      return results;
    } finally {
      for (const stage of this.stages.values()) await stage.close();
    }
  }

  private async play(plan: Plan): Promise<Result> {
    const stage = this.stages.get(plan.queue) ?? (await Stage.open(plan.queue));
    this.stages.set(plan.queue, stage);
    const result = await playRound(stage, plan).catch((error: unknown) => broken(plan, error));
    this.onResult(result, stage);
    if (result.problems.length > 0) {
      this.stages.delete(plan.queue);
      await stage.close();
    }
    return result;
  }
}

/** A round that could not be played to its end has shown nothing. */
function broken(plan: Plan, error: unknown): Result {
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
