import { ANSWER_CLASSES, type AnswerClass, REPLAY_CHOICES, type ReplayChoice } from '#libs/entities';
import { EVENT_KINDS, type EventKind, isEventKind } from '#libs/payloads';
import { isUuid } from '#libs/database';
import type { NewReplays } from '#libs/webhooks';
import type { FormFields } from '../ui/form-fields.js';

const HOUR_MS = 3_600_000;
const MAX_REPLAY_HOURS = 720;

export interface ReplayRequest {
  /** Null for all webhooks. */
  readonly webhook: string | null;
  readonly event: EventKind | null;
  readonly which: ReplayChoice;
  readonly answer: AnswerClass | null;
  readonly hours: number;
}

/** Ignores unknown values. */
export function parseReplayRequest(form: FormFields): ReplayRequest {
  const [webhook, event] = [form.text('webhook'), form.text('event')];
  return {
    webhook: isUuid(webhook) ? webhook : null,
    event: isEventKind(event) ? event : null,
    which: REPLAY_CHOICES.find((known) => known === form.text('which')) ?? 'undelivered',
    answer: ANSWER_CLASSES.find((known) => known === form.text('answer')) ?? null,
    hours: Math.min(Math.max(Number(form.text('hours')) || MAX_REPLAY_HOURS, 1), MAX_REPLAY_HOURS),
  };
}

export const replayFrom = ({ event, which, answer, hours }: ReplayRequest, now: Date): NewReplays => ({
  choice: which,
  answer: answer ?? undefined,
  event: event ?? undefined,
  since: new Date(now.getTime() - hours * HOUR_MS),
});

export function replayFields({ webhook, event, which, answer, hours }: ReplayRequest): Record<string, string> {
  return {
    ...(webhook !== null && { webhook }),
    ...(event !== null && { event }),
    which,
    ...(answer !== null && { answer }),
    hours: `${hours}`,
  };
}

export const REPLAY_SELECTIONS = [
  { value: 'undelivered', label: 'Everything retrying or given up' },
  { value: 'retrying', label: 'Only retrying' },
  { value: 'failed', label: 'Only given up' },
  { value: 'all', label: 'Everything given up or delivered' },
] as const satisfies readonly { value: ReplayChoice; label: string }[];

export const ANSWER_SELECTIONS = [
  { value: 'none', label: 'No complete response' },
  { value: '3xx', label: 'Answered 3xx' },
  { value: '4xx', label: 'Answered 4xx' },
  { value: '5xx', label: 'Answered 5xx' },
] as const satisfies readonly { value: AnswerClass; label: string }[];

export const REPLAY_PERIODS = [
  { value: '1', label: 'the last hour' },
  { value: '6', label: 'the last 6 hours' },
  { value: '24', label: 'the last 24 hours' },
  { value: '168', label: 'the last 7 days' },
  { value: '720', label: 'the last 30 days' },
] as const;

export const EVENT_SELECTIONS = Object.keys(EVENT_KINDS);
