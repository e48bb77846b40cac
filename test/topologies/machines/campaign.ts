import { SeededChoices } from '#test/support/seeded-choices.js';
import { type FaultName, faultsOf } from './faults.js';
import { type TopologyReport, roundLine, topologyReport } from './report.js';
import { type RoundPlan, type RoundResult, runRound } from './round.js';
import { MachinesSystem, type RedisKind } from './system.js';

export interface MachinesOptions {
  readonly seed: number;
  /** Totals of all topologies. */
  readonly rounds: number;
  readonly kinds: readonly RedisKind[];
  readonly checkout: string;
  readonly plain: boolean;
  /** Runs only these faults. */
  readonly faults?: readonly FaultName[] | undefined;
  readonly install: boolean;
  readonly say: (line: string) => void;
}

/**
 * Runs the product on many hosts, and injects one fault after the other. Returns whether every figure is within its
 * limit.
 */
export async function runMachines({ seed, rounds, kinds, faults, ...options }: MachinesOptions): Promise<boolean> {
  let isMet = true;
  for (const [index, redis] of kinds.entries()) {
    const count = Math.floor(rounds / kinds.length) + (index < rounds % kinds.length ? 1 : 0);
    const plans = planRounds({ seed, redis, count, faults });
    options.say(`topology ${redis}: ${plans.length} rounds`);
    const report = await new TopologyRun({ ...options, redis }).play(plans);
    for (const line of report.lines) options.say(line);
    isMet &&= report.isMet;
  }
  return isMet;
}

type TopologyOptions = Omit<MachinesOptions, 'seed' | 'rounds' | 'kinds' | 'faults'> & { readonly redis: RedisKind };

/** The rounds of one topology, on a new system after a failed one. */
class TopologyRun {
  private system: MachinesSystem | undefined;
  private readonly results: RoundResult[] = [];
  private readonly aborted: string[] = [];

  constructor(private readonly options: TopologyOptions) {}

  async play(plans: readonly RoundPlan[]): Promise<TopologyReport> {
    try {
      for (const plan of plans) await this.playOne(plan);
      return topologyReport(this.options.redis, this.results, this.aborted);
    } finally {
      await this.system?.close();
    }
  }

  private async playOne(plan: RoundPlan): Promise<void> {
    try {
      this.system ??= await MachinesSystem.open(this.options);
      const result = await runRound(this.system, plan);
      this.results.push(result);
      this.options.say(roundLine(result));
      if (result.problems.length > 0) await this.abandon();
    } catch (error) {
      this.aborted.push(plan.fault);
      this.options.say(`${plan.round} ${plan.fault}: could not be played: ${(error as Error).message}`);
      await this.abandon();
    }
  }

  private async abandon(): Promise<void> {
    await this.system?.close();
    this.system = undefined;
  }
}

interface Order {
  readonly seed: number;
  readonly redis: RedisKind;
  readonly count: number;
  readonly faults: readonly FaultName[] | undefined;
}

/** Each fault once, in the order of the seed; then each again. */
function planRounds({ seed, redis, count, faults = faultsOf(redis) }: Order): RoundPlan[] {
  const choices = new SeededChoices(`machines ${seed} ${redis}`);
  let deck: readonly FaultName[] = [];
  return Array.from({ length: count }, (_none, index) => {
    if (deck.length === 0) deck = faults;
    const fault = choices.pick(deck);
    deck = deck.filter((name) => name !== fault);
    return { round: index + 1, fault, seed: `machines ${seed} ${redis} ${index}` };
  });
}
