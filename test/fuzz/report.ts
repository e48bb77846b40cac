import type { CampaignResult, RoundProgress } from './campaign.js';
import type { Failure } from './answer-judge.js';
import type { FuzzRequest } from './fuzz-request.js';
import { type Latency, LIVENESS_BOUNDS, isAliveInTime } from './liveness.js';

/** Enough requests to reach every route in every way. */
export const ENOUGH_FOR_EVERY_ROUTE = 100_000;

export const progressLine = ({ done, seconds, failures, residentMiB }: RoundProgress): string =>
  `${done} requests, ${Math.round(done / seconds)} a second, ${failures} failures, ${residentMiB} MiB`;

/** Passes if nothing failed, the API stayed responsive, and a long run reached every route in every way. */
export const hasPassed = (result: CampaignResult): boolean => problemsOf(result).length === 0;

function problemsOf(result: CampaignResult): string[] {
  const unreached = result.requests >= ENOUGH_FOR_EVERY_ROUTE ? result.missing : [];
  const { p99, worst } = LIVENESS_BOUNDS;
  return [
    ...result.failures.map(({ what }) => what),
    ...unreached,
    ...(isAliveInTime(result.liveness) ? [] : [`/healthz took longer than ${p99} ms (p99) or ${worst} ms (worst)`]),
  ];
}

export function summary(result: CampaignResult): string {
  const { seed, requests, seconds, tally, refusedByBounds, liveness, residentMiB, missing } = result;
  const rate = Math.round(requests / seconds);
  const problems = problemsOf(result);
  return [
    `seed ${seed}, ${requests} requests in ${Math.round(seconds)} s, ${rate} a second`,
    `  carried out: ${(100 * tally.doneShare).toFixed(1)} %; by status: ${tally.byStatus.map(([status, count]) => `${status} ${count}`).join(', ')}`,
    `  refused by a bound (503 with Retry-After): ${refusedByBounds}`,
    `  /healthz every 20 ms: ${latencyText(liveness.waited)}; without waiting for a core: ${latencyText(liveness.charged)}`,
    `  memory of the API after each round, in MiB: ${residentMiB.join(' ')}`,
    ...missing.map((what) => `  ${what}`),
    problems.length === 0
      ? 'every answer stood'
      : `FAILED: ${problems.length}; the first: ${problems[0]!.split('\n')[0]}`,
  ].join('\n');
}

export const latencyText = ({ count, p50, p99, worst }: Latency): string =>
  `p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms, worst ${worst.toFixed(1)} ms of ${count}`;

const SHOWN = 1500;

export function failureText(seed: number, { what, request, answer, times }: Failure, file?: string): string {
  const lines = [`FAILED ${times} times: ${what}`];
  if (request) lines.push(`  ${describe(request)}`);
  if (answer) lines.push(`  the answer: ${answer.status} ${answer.body.slice(0, SHOWN)}`);
  if (request) lines.push(`  npm run fuzz -- --seed ${seed} --only ${request.index}`);
  if (file !== undefined) lines.push(`  its bytes: ${file}`);
  return lines.join('\n');
}

export const describe = ({ index, route, caller, server, wire }: FuzzRequest): string =>
  `request ${index}, ${route}, by ${caller}, to ${server}, which ends with “${wire.ending}”: ${JSON.stringify(Buffer.concat(wire.pieces).toString('latin1').slice(0, SHOWN))}`;
