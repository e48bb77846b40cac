import type { Replay, Webhook } from '#libs/entities';
import { SelectOptions } from '../ui/parts/fields.js';
import { ActionButton, HiddenFields } from '../ui/parts/form.js';
import { RelativeTime } from '../ui/parts/relative-time.js';
import { webhookPath } from '../shell/webhook-paths.js';
import { REPLAY_PERIODS, REPLAY_SELECTIONS } from './replay-form.js';

export function ReplaysSection({ webhook, replays }: { webhook: Webhook; replays: readonly Replay[] }) {
  return (
    <section class="card stack" aria-labelledby="replay-title">
      <h2 id="replay-title">Replay</h2>
      <p class="quiet">
        Send what your receiver missed. Every delivery keeps its webhook-id, so the receiver can skip duplicates. You
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
  done: 'all in the queue',
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
      <a href={webhookPath(webhookId)}>Its webhook</a>
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
