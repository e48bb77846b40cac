import { FAULTS } from './faults.js';
import { longestIdleMs } from './measures.js';
import type { RoundResult } from './round.js';
import type { RedisKind } from './system.js';

const GOES_ON_WITHIN_MS = 15_000;
const IDLE_AT_MOST_MS = 30_000;
const TWICE_WITH_LOST_HOST = 0.02;
const TWICE_UNDER_SKEW = 0.001;
const PROBLEMS_SHOWN = 10;

export function roundLine(result: RoundResult): string {
  const { plan, events, due, arrived, lost, duplicates, unknown, calls, promotion, unseen, refusals, problems } =
    result;
  const promoted = promotion
    ? `, goes on ${seconds(promotion.goesOnMs)} s after the promotion, caught up after ${seconds(promotion.caughtUpMs)} s`
    : '';
  const feed = `, feed: ${unseen} unseen, ${result.differences} differ, ${refusals} refused`;
  const line = `${String(plan.round).padStart(3)} ${plan.fault}: ${calls} calls (${unknown} unknown), ${events} events, ${due} due, ${arrived} arrived, ${lost.length} lost, ${duplicates} twice${promoted}${feed}; ${Math.round(result.seconds)} s`;
  return [line, ...problems.slice(0, PROBLEMS_SHOWN).map((problem) => `    ${problem}`)].join('\n');
}

interface Figure {
  readonly text: string;
  readonly isMet: boolean;
}

export interface TopologyReport {
  readonly lines: readonly string[];
  readonly isMet: boolean;
}

export function topologyReport(
  kind: RedisKind,
  results: readonly RoundResult[],
  aborted: readonly string[],
): TopologyReport {
  const sum = (of: (result: RoundResult) => number): number => results.reduce((all, one) => all + of(one), 0);
  const problems = (isOne: (problem: string) => boolean): number => sum((one) => one.problems.filter(isOne).length);
  const losesHost = results.filter(({ plan }) => FAULTS[plan.fault].losesHost);
  const skewsClock = results.filter(({ plan }) => FAULTS[plan.fault].skewsClock);
  const figures = [
    countFigure('rounds that could not be played', aborted.length),
    countFigure('lost', sum(({ lost }) => lost.length) + problems(isLostCommit)),
    countFigure('invented', problems(isInvented)),
    countFigure('other problems', problems(isOther)),
    promotionFigure(results),
    idleFigure(results),
    shareFigure('twice in rounds that lose a host', losesHost, TWICE_WITH_LOST_HOST),
    shareFigure('twice under skew', skewsClock, TWICE_UNDER_SKEW),
    feedFigure(results),
  ];
  return {
    lines: [
      `${kind}: ${results.length} rounds, ${sum(({ events }) => events)} events`,
      ...figures.map(({ text, isMet }) => `  ${isMet ? 'met   ' : 'MISSED'} ${text}`),
    ],
    isMet: figures.every(({ isMet }) => isMet),
  };
}

const isInvented = (problem: string): boolean => problem.startsWith('arrived, never committed');

/** The effect of a successful call is missing. */
const isLostCommit = (problem: string): boolean => /^the call \S+ was answered 2\d\d and committed/.test(problem);
const isOther = (problem: string): boolean =>
  !isInvented(problem) && !isLostCommit(problem) && !problem.startsWith('lost: ');

const countFigure = (name: string, count: number): Figure => ({ text: `${name} ${count}`, isMet: count === 0 });

function promotionFigure(results: readonly RoundResult[]): Figure {
  const promotions = results.flatMap(({ promotion }) => promotion ?? []);
  const most = Math.max(0, ...promotions.map(({ goesOnMs }) => goesOnMs));
  const caughtUp = Math.max(0, ...promotions.map(({ caughtUpMs }) => caughtUpMs));
  return {
    text: `delivery goes on ${seconds(most)} s after a promotion at most, of ${promotions.length} (bar ${seconds(GOES_ON_WITHIN_MS)}); all that was due by then arrived after ${seconds(caughtUp)} s`,
    isMet: most <= GOES_ON_WITHIN_MS,
  };
}

function idleFigure(results: readonly RoundResult[]): Figure {
  const due = results.flatMap(({ dueSpans }) => dueSpans);
  const idle = (results[0]?.workers ?? []).map((address) =>
    longestIdleMs(due, {
      deliveredAtMs: results.flatMap(({ arrivals }) =>
        arrivals.filter(({ from }) => from === address).map(({ atMs }) => atMs),
      ),
      away: results.flatMap(({ outcome: { away } }) => (away && (away.worker ?? address) === address ? [away] : [])),
    }),
  );
  const most = Math.max(0, ...idle);
  return {
    text: `a live worker idle for ${seconds(most)} s at most while something is due (bar ${seconds(IDLE_AT_MOST_MS)})`,
    isMet: most <= IDLE_AT_MOST_MS,
  };
}

function shareFigure(name: string, results: readonly RoundResult[], bar: number): Figure {
  const due = results.reduce((sum, one) => sum + one.due, 0);
  const twice = results.reduce((sum, one) => sum + one.duplicates, 0);
  const share = due === 0 ? 0 : twice / due;
  return {
    text: `${name}: ${twice} of ${due}, ${(100 * share).toFixed(3)} % (bar ${100 * bar} %)`,
    isMet: share <= bar,
  };
}

/** The client has seen every event, or knows that it may have missed some. */
function feedFigure(results: readonly RoundResult[]): Figure {
  const silent = results.filter(({ refusals }) => refusals === 0);
  const unseen = silent.reduce((sum, one) => sum + one.unseen, 0);
  const differences = results.reduce((sum, one) => sum + one.differences, 0);
  const refusals = results.reduce((sum, one) => sum + one.refusals, 0);
  return {
    text: `feeds: ${unseen} events not seen without a word, ${differences} records that differ in the copy, ${refusals} explicit errors`,
    isMet: unseen === 0 && differences === 0,
  };
}

const seconds = (ms: number): string => (ms / 1000).toFixed(1);
