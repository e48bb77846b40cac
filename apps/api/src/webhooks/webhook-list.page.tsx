import { WEBHOOK_STATES, type Webhook, type WebhookState } from '#libs/entities';
import type { EventKind } from '#libs/payloads';
import type { WebhookTraffic } from '#libs/webhooks';
import { FilterForm, FilterSelect } from '../layers/ui/parts/filters.js';
import { toChoices } from '../layers/ui/parts/fields.js';
import { EmptyState, NothingMatches, NoticeBox, WebhookStatePill } from '../layers/ui/parts/indicators.js';
import { type Column, Pager, type PagerLinks, Table } from '../layers/ui/parts/table.js';
import { RelativeTime } from '../layers/ui/parts/relative-time.js';
import { PageLayout } from '../layers/shell/shell.js';
import { EventSelect } from './delivery-parts.js';
import { FailingNote } from './failing-note.js';
import { TrafficOfDay } from './traffic-charts.js';
import { disabledReasonText } from './webhook-text.js';
import { DELIVERIES, webhookPath, hostOf } from './webhook-paths.js';

interface WebhookRow {
  readonly webhook: Webhook;
  readonly traffic: WebhookTraffic | undefined;
}

export interface WebhookListView extends PagerLinks {
  readonly rows: readonly WebhookRow[];
  readonly disabled: readonly Webhook[];
  readonly event: EventKind | null;
  readonly state: WebhookState | null;
}

const COLUMNS: readonly Column<WebhookRow>[] = [
  {
    name: 'State',
    cell: ({ webhook }) => (
      <>
        <WebhookStatePill state={webhook.state} />
        <FailingNote webhook={webhook} />
      </>
    ),
  },
  {
    name: 'Event',
    cell: ({ webhook }) => (
      <>
        <a class="mono" href={webhookPath(webhook.id)}>
          {webhook.name ?? webhook.event}
        </a>
        {webhook.name && <span class="quiet small"> {webhook.event}</span>}
      </>
    ),
  },
  { name: 'Filter', class: 'mono break', cell: ({ webhook }) => webhook.filter },
  {
    name: 'URL',
    class: 'mono break',
    title: ({ webhook }) => webhook.url,
    cell: ({ webhook: { url } }) => (url.length > 60 ? `${url.slice(0, 60)}…` : url),
  },
  { name: 'Created by', cell: ({ webhook }) => webhook.application?.name ?? 'Console' },
  { name: 'Last 24 hours', cell: ({ traffic }) => traffic && <TrafficOfDay traffic={traffic} /> },
  {
    name: 'Last delivery',
    cell: ({ traffic }) =>
      traffic?.lastAt ? <RelativeTime at={traffic.lastAt} /> : <span class="quiet">none yet</span>,
  },
];

export function WebhookListPage({ view }: { view: WebhookListView }) {
  const { rows, disabled, next, first } = view;
  return (
    <PageLayout
      title="Webhooks"
      watch="deliveries"
      intro="Deskwire posts events to your URL. Requests are signed, retried and logged here."
      actions={
        <span class="row">
          <a class="button" href={DELIVERIES}>
            Deliveries
          </a>
          <a class="button" href="/settings/replays">
            Replay…
          </a>
          <a class="button primary" href="/settings/webhooks/new">
            Add webhook
          </a>
        </span>
      }
    >
      {disabled.map((webhook) => (
        <DisabledNotice webhook={webhook} key={webhook.id} />
      ))}
      <WebhookFilters view={view} />
      {rows.length === 0 ? (
        <NoWebhooks filtered={view.event !== null || view.state !== null} />
      ) : (
        <div>
          <Table caption="Webhooks" columns={COLUMNS} rows={rows} id="webhooks" live />
          <Pager next={next} first={first} label={`${rows.length} shown`} />
        </div>
      )}
    </PageLayout>
  );
}

function DisabledNotice({ webhook }: { webhook: Webhook }) {
  return (
    <NoticeBox tone="warn">
      <p>
        <strong>
          <a href={webhookPath(webhook.id)}>{webhook.event}</a> to {hostOf(webhook.url)} is disabled.
        </strong>{' '}
        {disabledReasonText(webhook)}
      </p>
    </NoticeBox>
  );
}

function WebhookFilters({ view: { event, state } }: { view: WebhookListView }) {
  return (
    <FilterForm action="/settings/webhooks" label="Filter webhooks">
      <EventSelect chosen={event} />
      <FilterSelect name="state" label="State" all="Every state" choices={toChoices(WEBHOOK_STATES)} chosen={state} />
    </FilterForm>
  );
}

function NoWebhooks({ filtered }: { filtered: boolean }) {
  if (filtered)
    return <NothingMatches title="No webhook matches" href="/settings/webhooks" label="Show all webhooks" />;
  return (
    <EmptyState title="No webhooks yet">
      <p>A webhook notifies your own app as soon as something happens here.</p>
      <p>
        <a href="/settings/webhooks/new">Add the first one</a> and send it a test event.
      </p>
    </EmptyState>
  );
}
