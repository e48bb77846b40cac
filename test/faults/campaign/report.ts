import { type PlannedFault, killsWorker } from './faults.js';
import { MAX_DUPLICATE_SHARE } from './audit.js';
import type { RoundResult } from './round.js';

const IDS_SHOWN = 50;

/** One line per round, and the problems of a failed one below it. */
export function roundLine(result: RoundResult, of: number): string {
  const { round, queue } = result.plan;
  return resultLine(`${String(round).padStart(String(of).length)}/${of} ${queue.padEnd(8)}`, result);
}

export function resultLine(head: string, { plan, seconds, ...verdict }: RoundResult): string {
  const { calls, unknown, events, due, arrived, exhausted, duplicates, answeredLate, lost, problems } = verdict;
  const counts = `${calls} calls (${unknown} unknown), ${events} events, ${due} due: ${arrived} arrived, ${exhausted} given up, ${lost.length} lost, ${duplicates} twice, ${answeredLate} answered late`;
  const line = `${head} ${counts}, ${seconds.toFixed(1)} s | ${plan.faults.map(faultText).join(', ')}`;
  const shown = problems.slice(0, IDS_SHOWN).map((problem) => `\n    ${problem}`);
  const more = problems.length > IDS_SHOWN ? [`\n    and ${problems.length - IDS_SHOWN} more`] : [];
  return [problems.length === 0 ? line : `${line}\n  FAILED`, ...shown, ...more].join('');
}

function faultText({ fault, targetIndex, atMs, durationMs }: PlannedFault): string {
  const lasted = durationMs > 0 ? ` for ${(durationMs / 1000).toFixed(1)} s` : '';
  return `${fault} (${targetIndex + 1}) at ${(atMs / 1000).toFixed(1)} s${lasted}`;
}

/** Totals of all rounds, separate for rounds with a killed worker. */
export function campaignSummary(seed: number, results: readonly RoundResult[]): string {
  const failed = results.filter(({ problems }) => problems.length > 0);
  const again = failed.map(({ plan }) => `npm run faults -- --seed ${seed} --round ${plan.round}`);
  return [
    `seed ${seed}, ${results.length} rounds, ${minutes(sum(results, 'seconds'))} of play`,
    totalsLine('with a worker killed', results.filter(hasWorkerKill)),
    totalsLine('without', results.filter(hasNoWorkerKill)),
    allRoundsPassed(results) ? 'every round stood' : `FAILED: ${again.join('; ') || 'too much arrived again'}`,
  ].join('\n');
}

/** Returns true if every round passed and rounds without a killed worker had few duplicates. */
export function allRoundsPassed(results: readonly RoundResult[]): boolean {
  const calm = results.filter(hasNoWorkerKill);
  const isLittle = sum(calm, 'duplicates') <= sum(calm, 'due') * MAX_DUPLICATE_SHARE;
  return isLittle && results.every(({ problems }) => problems.length === 0);
}

const hasWorkerKill = ({ plan }: RoundResult): boolean => plan.faults.some(killsWorker);
const hasNoWorkerKill = (result: RoundResult): boolean => !hasWorkerKill(result);

function totalsLine(which: string, results: readonly RoundResult[]): string {
  const due = sum(results, 'due');
  const duplicates = sum(results, 'duplicates');
  const lost = results.reduce((total, result) => total + result.lost.length, 0);
  const share = due === 0 ? 0 : (100 * duplicates) / due;
  return `  ${which}: ${results.length} rounds, ${sum(results, 'events')} events, ${due} due, ${sum(results, 'arrived')} arrived, ${sum(results, 'exhausted')} given up, ${lost} lost, ${duplicates} twice (${share.toFixed(3)} %)`;
}

type SummedField = 'seconds' | 'due' | 'events' | 'arrived' | 'exhausted' | 'duplicates';

function sum(results: readonly RoundResult[], name: SummedField): number {
  return results.reduce((total, result) => total + result[name], 0);
}

const minutes = (seconds: number): string => `${(seconds / 60).toFixed(1)} min`;
