import { WEBHOOK_STATES, type Webhook, type WebhookState, beginningOf } from '#libs/entities';
import type { EventKind } from '#libs/payloads';
import type { WebhookTraffic } from '#libs/webhooks';
import { FilterForm, FilterSelect } from '../layers/ui/parts/filters.js';
import { toChoices } from '../layers/ui/parts/fields.js';
import { EmptyState, NothingMatches, WebhookStatePill } from '../layers/ui/parts/indicators.js';
import { type Column, Pager, type PagerLinks, Table } from '../layers/ui/parts/table.js';
import { RelativeTime } from '../layers/ui/parts/relative-time.js';
import { PageLayout } from '../layers/shell/shell.js';
import { EventSelect } from './delivery-parts.js';
import { FailingNote } from './failing-note.js';
import { TrafficOfDay } from './traffic-charts.js';
import { disabledReasonText } from './webhook-text.js';
import { webhookPath } from './webhook-paths.js';

interface WebhookRow {
  readonly webhook: Webhook;
  readonly traffic: WebhookTraffic | undefined;
}

export interface WebhookListView extends PagerLinks {
  readonly rows: readonly WebhookRow[];
  readonly event: EventKind | null;
  readonly state: WebhookState | null;
}

const COLUMNS: readonly Column<WebhookRow>[] = [
  { name: 'State', plain: true, cell: ({ webhook }) => <WebhookStatePill state={webhook.state} /> },
  { name: 'Webhook', plain: true, class: 'what', cell: ({ webhook }) => <WebhookName webhook={webhook} /> },
  { name: 'Last 24 hours', plain: true, cell: ({ traffic }) => traffic && <TrafficOfDay traffic={traffic} /> },
  {
    name: 'Latest',
    cell: ({ traffic }) =>
      traffic?.lastAt ? <RelativeTime at={traffic.lastAt} /> : <span class="quiet">none yet</span>,
  },
];

function WebhookName({ webhook }: Pick<WebhookRow, 'webhook'>) {
  const { id, name, event, url, filter, application } = webhook;
  const details = [name && event, filter, application && `by ${application.name}`].filter(Boolean);
  return (
    <>
      <a class="mono" href={webhookPath(id)}>
        {name ?? event}
      </a>
      <span class="mono block break" title={url}>
        {beginningOf(url.replace('https://', ''), 60)}
      </span>
      {details.length > 0 && <span class="quiet small block break">{details.join(' · ')}</span>}
      <span class="small block">{disabledReasonText(webhook)}</span>
      <FailingNote webhook={webhook} />
    </>
  );
}

export function WebhookListPage({ view }: { view: WebhookListView }) {
  const { rows, event, state, next, first } = view;
  return (
    <PageLayout
      title="Webhooks"
      watch="deliveries"
      intro="Deskwire posts events to your URL. Requests are signed, retried and logged here."
      actions={
        <span class="row">
          <a class="button" href="/settings/replays">
            Replay…
          </a>
          <a class="button primary" href="/settings/webhooks/new">
            Add webhook
          </a>
        </span>
      }
    >
      <FilterForm action="/settings/webhooks" label="Filter webhooks">
        <EventSelect chosen={event} />
        <FilterSelect name="state" label="State" all="Every state" choices={toChoices(WEBHOOK_STATES)} chosen={state} />
      </FilterForm>
      {rows.length === 0 ? (
        <NoWebhooks filtered={event !== null || state !== null} />
      ) : (
        <div>
          <Table caption="Webhooks" columns={COLUMNS} rows={rows} id="webhooks" live />
          <Pager next={next} first={first} label={`${rows.length} shown`} />
        </div>
      )}
    </PageLayout>
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
