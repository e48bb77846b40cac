import type { MailCampaignResult, MailProgress } from './mail-campaign.js';

/** Maximum time until a small mail of another account becomes a ticket. */
export const MAX_P99_MS = 3_000;

export const p99Of = (waitedMs: readonly number[]): number => quantile(waitedMs, 0.99);

export const hasPassed = ({ died, waitedMs }: MailCampaignResult): boolean =>
  died.length === 0 && p99Of(waitedMs) <= MAX_P99_MS;

export const mailProgressLine = ({ done, seconds, waitedMs }: MailProgress): string =>
  `${done} hostile mails in ${Math.round(seconds)} s; ${waitedText(waitedMs)}`;

export function mailSummary(result: MailCampaignResult): string {
  const { seed, mails, seconds, waitedMs, outcomes, died, workerMiB } = result;
  const states = Object.entries(outcomes).map(([state, count]) => `${state} ${count}`);
  return [
    `seed ${seed}, ${mails} hostile mails in ${Math.round(seconds)} s`,
    `  became: ${states.join(', ')}`,
    `  ${waitedText(waitedMs)}`,
    `  memory of the worker afterwards: ${workerMiB} MiB`,
    ...died.map((what) => `  ${what}`),
    hasPassed(result)
      ? 'passed'
      : `FAILED: a process died, or mail of another account waited more than ${MAX_P99_MS} ms (p99)`,
  ].join('\n');
}

const waitedText = (waitedMs: readonly number[]): string => {
  const [p50, p99, worst] = [0.5, 0.99, 1].map((share) => Math.round(quantile(waitedMs, share)));
  return `mail of another account waited p50 ${p50} ms, p99 ${p99} ms, worst ${worst} ms of ${waitedMs.length}`;
};

function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}
