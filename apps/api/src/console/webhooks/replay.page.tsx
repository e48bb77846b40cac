import type { Replay } from '#libs/entities';
import type { ReplayPreview } from '#libs/webhooks';
import { FilterForm, FilterSelect } from '../../pages/parts/filters.js';
import { SelectOptions, toChoices } from '../../pages/parts/fields.js';
import { ActionButton, FormAlert, HiddenFields } from '../../pages/parts/form.js';
import { EmptyState } from '../../pages/parts/indicators.js';
import { RelativeTime, formatExactTime } from '../../pages/parts/relative-time.js';
import { type Column, Table } from '../../pages/parts/table.js';
import { PageLayout } from '../shell/shell.js';
import {
  ANSWER_SELECTIONS,
  EVENT_SELECTIONS,
  REPLAY_PERIODS,
  REPLAY_SELECTIONS,
  type ReplayRequest,
  replayFields,
} from './replay-form.js';
import { ReplayLines } from './replays.js';
import { hostOf, webhookPath } from './webhook-paths.js';

export interface ReplayView {
  readonly request: ReplayRequest;
  readonly preview: ReplayPreview;
  readonly replays: readonly Replay[];
}

/** What would be sent, before it is sent; and how far the replays are that have been started. */
export function ReplayPage({ view }: { view: ReplayView }) {
  return (
    <PageLayout
      title="Replay"
      section="/settings/webhooks"
      watch="deliveries"
      intro={<a href="/settings/webhooks">← All webhooks</a>}
    >
      <FormAlert />
      <Selection request={view.request} />
      <Preview view={view} />
      {view.replays.length > 0 && (
        <section class="card stack" aria-labelledby="replays-title">
          <h2 id="replays-title">Replays</h2>
          <ReplayLines replays={view.replays} />
        </section>
      )}
    </PageLayout>
  );
}

function Selection({ request: { webhook, event, which, answer, hours } }: { request: ReplayRequest }) {
  return (
    <FilterForm action="/settings/replays" label="What to replay">
      {webhook !== null && <HiddenFields fields={{ webhook }} />}
      <select name="which" class="slim fit" aria-label="Which deliveries">
        <SelectOptions choices={REPLAY_SELECTIONS} chosen={which} />
      </select>
      <FilterSelect name="answer" label="Last answer" all="Any answer" choices={ANSWER_SELECTIONS} chosen={answer} />
      {webhook === null && (
        <FilterSelect
          name="event"
          label="Event"
          all="Every event"
          choices={toChoices(EVENT_SELECTIONS)}
          chosen={event}
        />
      )}
      <select name="hours" class="slim fit" aria-label="Time">
        <SelectOptions choices={REPLAY_PERIODS} chosen={`${hours}`} />
      </select>
    </FilterForm>
  );
}

function Preview({ view: { request, preview } }: { view: ReplayView }) {
  if (preview.deliveries === 0)
    return (
      <EmptyState title="Nothing to replay">
        <p>No delivery of that time is in that state.</p>
      </EmptyState>
    );
  const words = deliveriesWords(preview);
  return (
    <section class="card stack" aria-labelledby="preview-title">
      <h2 id="preview-title">{`${words} to ${counted(preview.webhooks.length, 'webhook')}`}</h2>
      {preview.oldestAt && (
        <p>{`The oldest is of ${weekday(preview.oldestAt)}, ${formatExactTime(preview.oldestAt)}.`}</p>
      )}
      <p class="quiet">
        Each keeps its webhook-id, so that a receiver knows what it already has. What is retrying goes now, and its
        attempts are counted on.
      </p>
      <div>
        <ActionButton to="/settings/replays" label={`Replay ${words}`} class="primary" fields={replayFields(request)} />
      </div>
      <Table caption="Webhooks" columns={COLUMNS} rows={preview.webhooks} />
    </section>
  );
}

const COLUMNS: readonly Column<ReplayPreview['webhooks'][number]>[] = [
  { name: 'Event', cell: ({ webhookId, event }) => <a href={webhookPath(webhookId)}>{event}</a> },
  { name: 'To', class: 'break', cell: ({ url }) => hostOf(url) },
  { name: 'Deliveries', class: 'number', cell: deliveriesWords },
  { name: 'Oldest', cell: ({ oldestAt }) => oldestAt && <RelativeTime at={oldestAt} /> },
];

function deliveriesWords({ deliveries, capped }: { deliveries: number; capped: boolean }): string {
  return capped ? `${deliveries.toLocaleString('en')} deliveries or more` : counted(deliveries, 'delivery');
}

function counted(count: number, noun: 'delivery' | 'webhook'): string {
  const plural = noun === 'delivery' ? 'deliveries' : 'webhooks';
  return `${count.toLocaleString('en')} ${count === 1 ? noun : plural}`;
}

const weekday = (at: Date): string => at.toLocaleDateString('en-GB', { weekday: 'long', timeZone: 'UTC' });
