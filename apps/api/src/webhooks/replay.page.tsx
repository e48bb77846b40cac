import type { Replay } from '#libs/entities';
import type { ReplayPreview } from '#libs/webhooks';
import { usePageContext } from '../layers/ui/page-context.js';
import { inTimeZone } from '../layers/ui/zoned-time.js';
import { FilterForm, FilterSelect } from '../layers/ui/parts/filters.js';
import { SelectOptions } from '../layers/ui/parts/fields.js';
import { ActionButton, FormAlert, HiddenFields } from '../layers/ui/parts/form.js';
import { EmptyState } from '../layers/ui/parts/indicators.js';
import { ExactTime, RelativeTime } from '../layers/ui/parts/relative-time.js';
import { type Column, Table } from '../layers/ui/parts/table.js';
import { PageLayout } from '../layers/shell/shell.js';
import {
  RESPONSE_SELECTIONS,
  REPLAY_PERIODS,
  REPLAY_SELECTIONS,
  type ReplayRequest,
  replayFields,
  ReplayLines,
} from './replays.js';
import { EventSelect } from './delivery-parts.js';
import { REPLAYS_PROGRESS, hostOf, webhookPath } from './webhook-paths.js';

interface ReplayView {
  readonly request: ReplayRequest;
  readonly preview: ReplayPreview;
  readonly replays: readonly Replay[];
}

export function ReplayPage({ view }: { view: ReplayView }) {
  return (
    <PageLayout
      title="Replay"
      section="/settings/webhooks"
      watch="deliveries"
      liveFrom={REPLAYS_PROGRESS}
      intro={<a href="/settings/webhooks">← All webhooks</a>}
    >
      <FormAlert />
      <Selection request={view.request} />
      <Preview view={view} />
      <Replays replays={view.replays} />
    </PageLayout>
  );
}

/** The live part of the page, without the costly preview. */
export function ReplaysPage({ replays }: { replays: readonly Replay[] }) {
  return (
    <PageLayout
      title="Replays"
      section="/settings/webhooks"
      watch="deliveries"
      intro={<a href="/settings/replays">← What to replay</a>}
    >
      <Replays replays={replays} />
    </PageLayout>
  );
}

function Replays({ replays }: { replays: readonly Replay[] }) {
  if (replays.length === 0) return null;
  return (
    <section class="card stack" aria-labelledby="replays-title">
      <h2 id="replays-title">Replays</h2>
      <ReplayLines replays={replays} />
    </section>
  );
}

function Selection({ request: { webhook, event, which, lastResponse, hours } }: { request: ReplayRequest }) {
  return (
    <FilterForm action="/settings/replays" label="What to replay">
      {webhook !== null && <HiddenFields fields={{ webhook }} />}
      <select name="which" class="slim fit" aria-label="Which deliveries">
        <SelectOptions choices={REPLAY_SELECTIONS} chosen={which} />
      </select>
      <FilterSelect
        name="last_response"
        label="Last response"
        all="Any response"
        choices={RESPONSE_SELECTIONS}
        chosen={lastResponse}
      />
      {webhook === null && <EventSelect chosen={event} />}
      <select name="hours" class="slim fit" aria-label="Time">
        <SelectOptions choices={REPLAY_PERIODS} chosen={`${hours}`} />
      </select>
    </FilterForm>
  );
}

function Preview({ view: { request, preview } }: { view: ReplayView }) {
  const { webhooks, oldestAt, capped } = preview;
  const { timeZone } = usePageContext().me;
  if (webhooks.length === 0) return <NothingToReplay preview={preview} />;
  return (
    <section class="card stack" aria-labelledby="preview-title">
      <h2 id="preview-title">{previewTitle(preview)}</h2>
      {capped && <p>There are too many deliveries to count. The replay also includes older ones.</p>}
      {oldestAt && (
        <p>
          {`The oldest${capped ? ' counted here' : ''} is from ${inTimeZone(oldestAt, timeZone).weekday}, `}
          <ExactTime at={oldestAt} />.
        </p>
      )}
      <Running running={preview.running} />
      <p class="quiet">
        Each delivery keeps its webhook-id, so the receiver can skip duplicates. Retrying deliveries are sent now and
        keep their number of attempts.
      </p>
      <ActionButton
        to="/settings/replays"
        label={replayLabel(preview)}
        class="primary"
        fields={replayFields(request)}
      />
      <Table caption="Webhooks" columns={COLUMNS} rows={webhooks} />
    </section>
  );
}

function NothingToReplay({ preview: { capped, running } }: { preview: ReplayPreview }) {
  const text = capped
    ? 'There are too many webhooks to check them all. Choose a kind of event.'
    : 'No deliveries match this selection.';
  return (
    <EmptyState title="Nothing to replay" text={text}>
      <Running running={running} />
    </EmptyState>
  );
}

function Running({ running }: { running: number }) {
  if (running === 0) return null;
  return <p>{`${counted(running, 'webhook')} being replayed already and not counted here.`}</p>;
}

function previewTitle(preview: ReplayPreview): string {
  const webhooks = counted(preview.webhooks.length, 'webhook');
  if (preview.deliveries === 0) return `None found among the newest deliveries to ${webhooks}`;
  return `${deliveriesText(preview)} to ${webhooks}`;
}

const replayLabel = (preview: ReplayPreview): string =>
  preview.deliveries === 0 ? 'Replay older deliveries' : `Replay ${deliveriesText(preview)}`;

const COLUMNS: readonly Column<ReplayPreview['webhooks'][number]>[] = [
  { name: 'Event', cell: ({ webhookId, event }) => <a href={webhookPath(webhookId)}>{event}</a> },
  { name: 'To', class: 'break', cell: ({ url }) => hostOf(url) },
  { name: 'Deliveries', class: 'number', cell: deliveriesText },
  { name: 'Oldest', cell: ({ oldestAt }) => oldestAt && <RelativeTime at={oldestAt} /> },
];

function deliveriesText({ deliveries, capped }: { deliveries: number; capped: boolean }): string {
  if (capped && deliveries === 0) return 'none among the newest';
  return capped ? `${deliveries.toLocaleString('en')} deliveries or more` : counted(deliveries, 'delivery');
}

function counted(count: number, noun: 'delivery' | 'webhook'): string {
  const plural = noun === 'delivery' ? 'deliveries' : 'webhooks';
  return `${count.toLocaleString('en')} ${count === 1 ? noun : plural}`;
}
