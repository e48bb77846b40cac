import type { Replay } from '#libs/entities';
import { ActionButton } from '../ui/parts/form.js';
import { RelativeTime } from '../ui/parts/relative-time.js';
import { webhookPath } from '../shell/webhook-paths.js';

/** What is sent again, with a bar for how far it is. */
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
  done: 'all on their way',
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

/** Between counting and sending some are delivered, purged or given up. A replay that is done is at its end nevertheless. */
function barOf({ state, redelivered, total }: Replay): { value: number; max: number } {
  return state === 'done' ? { value: 1, max: 1 } : { value: redelivered, max: Math.max(total, redelivered, 1) };
}

function stateWords({ state, redelivered, total }: Replay): string {
  const missing = total - redelivered;
  return state === 'done' && missing > 0 ? `done, ${missing} had gone out or were removed` : STATE_WORDS[state];
}
