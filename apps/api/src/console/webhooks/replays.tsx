import type { Replay, Webhook } from '#libs/entities';
import { SelectOptions } from '../../pages/parts/fields.js';
import { ActionButton, Form } from '../../pages/parts/form.js';
import { RelativeTime } from '../../pages/parts/relative-time.js';
import { webhookPath } from './webhook-paths.js';

const REPLAY_PERIODS = [
  { value: '1', label: 'the last hour' },
  { value: '6', label: 'the last 6 hours' },
  { value: '24', label: 'the last 24 hours' },
  { value: '168', label: 'the last 7 days' },
  { value: '720', label: 'the last 30 days' },
] as const;

export function ReplaysSection({ webhook, replays }: { webhook: Webhook; replays: readonly Replay[] }) {
  const path = webhookPath(webhook.id);
  return (
    <section class="card stack" aria-labelledby="replay-title">
      <h2 id="replay-title">Replay</h2>
      <p class="quiet">
        Send again what your receiver missed. Every delivery keeps its webhook-id, so the receiver knows what it already
        has.
      </p>
      <Form action={`${path}/replay`} class="row" label="Replay">
        <select name="which" class="fit" aria-label="What to replay">
          <SelectOptions choices={REPLAY_SELECTIONS} chosen="failed" />
        </select>
        <span>of</span>
        <select name="hours" class="fit" aria-label="Time">
          <SelectOptions choices={REPLAY_PERIODS} chosen="24" />
        </select>
        <button type="submit">Replay</button>
      </Form>
      <ul class="stack" id="replays" data-live>
        {replays.map((replay) => (
          <ReplayLine replay={replay} path={path} key={replay.id} />
        ))}
      </ul>
    </section>
  );
}

const REPLAY_SELECTIONS = [
  { value: 'failed', label: 'Everything that failed' },
  { value: 'all', label: 'Everything' },
] as const;

function ReplayLine({ replay, path }: { replay: Replay; path: string }) {
  const { id, redelivered: done, total, state, createdAt, finishedAt } = replay;
  return (
    <li class="row">
      <progress value={done} max={Math.max(total, 1)} aria-label={`Replay: ${done} of ${total}`} />
      <span class="number">{`${done} of ${total}`}</span>
      <span class="quiet">{state}</span>
      <span class="quiet small">
        started <RelativeTime at={createdAt} />
      </span>
      {finishedAt === null && <ActionButton to={`${path}/replays/${id}/cancel`} label="Cancel" class="slim" />}
    </li>
  );
}
