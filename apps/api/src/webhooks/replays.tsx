import {
  RESPONSE_CLASSES,
  type ResponseClass,
  REPLAY_CHOICES,
  type Replay,
  type ReplayChoice,
  type Webhook,
} from '#libs/entities';
import { type EventKind, isEventKind } from '#libs/payloads';
import { isUuid } from '#libs/database';
import type { NewReplays } from '#libs/webhooks';
import { SelectOptions } from '../layers/ui/parts/fields.js';
import { ActionButton, HiddenFields } from '../layers/ui/parts/form.js';
import { RelativeTime } from '../layers/ui/parts/relative-time.js';
import { webhookPath } from './webhook-paths.js';
import type { FormFields } from '../layers/ui/form-fields.js';

export function ReplaysSection({ webhook, replays }: { webhook: Webhook; replays: readonly Replay[] }) {
  return (
    <section class="card stack" aria-labelledby="replay-title">
      <h2 id="replay-title">Replay</h2>
      <p class="quiet">
        Resend what your receiver missed. Every delivery keeps its webhook-id, so the receiver can skip duplicates. You
        see a preview first.
      </p>
      <form action="/settings/replays" class="row" aria-label="Replay">
        <HiddenFields fields={{ webhook: webhook.id }} />
        <select name="which" class="fit" aria-label="What to replay">
          <SelectOptions choices={REPLAY_SELECTIONS} chosen="undelivered" />
        </select>
        <span>of</span>
        <select name="hours" class="fit" aria-label="Period">
          <SelectOptions choices={REPLAY_PERIODS} chosen="24" />
        </select>
        <button type="submit">Replay…</button>
      </form>
      <ReplayLines replays={replays} />
    </section>
  );
}

export function ReplayLines({ replays }: { replays: readonly Replay[] }) {
  return (
    <ul class="stack" id="replays" data-live>
      {replays.map((replay) => (
        <ReplayLine replay={replay} key={replay.id} />
      ))}
    </ul>
  );
}

const STATE_WORDS: Readonly<Record<Replay['state'], string>> = {
  counting: 'counting',
  running: 'running',
  done: 'all queued',
  cancelled: 'cancelled',
};

function ReplayLine({ replay }: { replay: Replay }) {
  const { id, webhookId, redelivered: done, total, createdAt, finishedAt } = replay;
  return (
    <li class="row">
      <progress {...barOf(replay)} aria-label={`Replay: ${done} of ${total}`} />
      <span class="number">{`${done} of ${total}`}</span>
      <span class="quiet">{stateWords(replay)}</span>
      <span class="quiet small">
        started <RelativeTime at={createdAt} />
      </span>
      <a href={webhookPath(webhookId)}>View webhook</a>
      {finishedAt === null && (
        <ActionButton to={`${webhookPath(webhookId)}/replays/${id}/cancel`} label="Cancel" class="slim" />
      )}
    </li>
  );
}

/** Counted deliveries may have ended or been purged, so a finished replay is set to 100 %. */
function barOf({ state, redelivered, total }: Replay): { value: number; max: number } {
  return state === 'done' ? { value: 1, max: 1 } : { value: redelivered, max: Math.max(total, redelivered, 1) };
}

function stateWords({ state, redelivered, total }: Replay): string {
  const missing = total - redelivered;
  return state === 'done' && missing > 0 ? `done, ${missing} were sent or removed before` : STATE_WORDS[state];
}

const HOUR_MS = 3_600_000;
const MAX_REPLAY_HOURS = 720;

export interface ReplayRequest {
  /** Null for all webhooks. */
  readonly webhook: string | null;
  readonly event: EventKind | null;
  readonly which: ReplayChoice;
  readonly lastResponse: ResponseClass | null;
  readonly hours: number;
}

/** Ignores unknown values. */
export function parseReplayRequest(form: FormFields): ReplayRequest {
  const webhook = form.text('webhook');
  const event = form.text('event');
  return {
    webhook: isUuid(webhook) ? webhook : null,
    event: isEventKind(event) ? event : null,
    which: REPLAY_CHOICES.find((known) => known === form.text('which')) ?? 'undelivered',
    lastResponse: RESPONSE_CLASSES.find((known) => known === form.text('last_response')) ?? null,
    hours: Math.min(Math.max(Number(form.text('hours')) || MAX_REPLAY_HOURS, 1), MAX_REPLAY_HOURS),
  };
}

export const replayFrom = ({ event, which, lastResponse, hours }: ReplayRequest, now: Date): NewReplays => ({
  choice: which,
  lastResponse: lastResponse ?? undefined,
  event: event ?? undefined,
  since: new Date(now.getTime() - hours * HOUR_MS),
});

export function replayFields({ webhook, event, which, lastResponse, hours }: ReplayRequest): Record<string, string> {
  return {
    ...(webhook !== null && { webhook }),
    ...(event !== null && { event }),
    which,
    ...(lastResponse !== null && { last_response: lastResponse }),
    hours: `${hours}`,
  };
}

export const REPLAY_SELECTIONS = [
  { value: 'undelivered', label: 'Retrying or given up' },
  { value: 'retrying', label: 'Only retrying' },
  { value: 'failed', label: 'Only given up' },
  { value: 'all', label: 'Given up or delivered' },
] as const satisfies readonly { value: ReplayChoice; label: string }[];

export const RESPONSE_SELECTIONS = [
  { value: 'none', label: 'No complete response' },
  { value: '3xx', label: 'Responded 3xx' },
  { value: '4xx', label: 'Responded 4xx' },
  { value: '5xx', label: 'Responded 5xx' },
] as const satisfies readonly { value: ResponseClass; label: string }[];

export const REPLAY_PERIODS = [
  { value: '1', label: 'the last hour' },
  { value: '6', label: 'the last 6 hours' },
  { value: '24', label: 'the last 24 hours' },
  { value: '168', label: 'the last 7 days' },
  { value: '720', label: 'the last 30 days' },
] as const;
