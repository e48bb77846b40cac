import { SeededChoices } from '#test/support/seeded-choices.js';
import { type FaultName, faultsOf } from './faults.js';
import { type TopologyReport, roundLine, topologyReport } from './report.js';
import { type RoundPlan, type RoundResult, runRound } from './round.js';
import { type MachinesSystem, type RedisKind, type SystemOptions, openMachines } from './system.js';

export interface MachinesOptions {
  readonly seed: number;
  /** Totals of all topologies. */
  readonly rounds: number;
  readonly kinds: readonly RedisKind[];
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
    const report = await runTopology(plans, { ...options, redis });
    for (const line of report.lines) options.say(line);
    isMet &&= report.isMet;
  }
  return isMet;
}

/** The rounds of one topology, on a new system after a failed one. */
async function runTopology(plans: readonly RoundPlan[], options: SystemOptions): Promise<TopologyReport> {
  const { say, redis } = options;
  const [results, aborted]: [RoundResult[], string[]] = [[], []];
  let system: MachinesSystem | undefined;
  for (const plan of plans) {
    let isWell = false;
    try {
      system ??= await openMachines(options);
      const result = await runRound(system, plan);
      results.push(result);
      say(roundLine(result));
      isWell = result.problems.length === 0;
    } catch (error) {
      aborted.push(plan.fault);
      say(`${plan.round} ${plan.fault}: could not be played: ${(error as Error).message}`);
    }
    if (isWell) continue;
    await system?.hosts.close();
    system = undefined;
  }
  await system?.hosts.close();
  return topologyReport(redis, results, aborted);
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
