import type { Replay, Webhook } from '#libs/entities';
import { HiddenFields } from '../ui/parts/form.js';
import { SelectOptions } from '../ui/parts/fields.js';
import { REPLAY_PERIODS, REPLAY_SELECTIONS } from './replay-form.js';
import { ReplayLines } from './replays.js';

/** Leads to what would be sent; the button that sends it is there. */
export function ReplaysSection({ webhook, replays }: { webhook: Webhook; replays: readonly Replay[] }) {
  return (
    <section class="card stack" aria-labelledby="replay-title">
      <h2 id="replay-title">Replay</h2>
      <p class="quiet">
        Send again what your receiver missed. Every delivery keeps its webhook-id, so the receiver knows what it already
        has. You see what will be sent before it is.
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
