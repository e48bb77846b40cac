import { WEBHOOK_STATES, type Webhook, type WebhookState } from '#libs/entities';
import { EVENT_KINDS } from '#libs/payloads';
import { SelectOptions, toChoices } from '../../pages/parts/form.js';
import { EmptyState, NoticeBox, Pill, WebhookStatePill } from '../../pages/parts/indicators.js';
import { Pager, Table, type PagerLinks } from '../../pages/parts/table.js';
import { RelativeTime } from '../../pages/parts/relative-time.js';
import { PageLayout } from '../shell/shell.js';
import { disabledReasonText } from './webhook-text.js';
import { webhookPath, hostOf } from './webhook-paths.js';

export interface WebhookListView extends PagerLinks {
  readonly rows: readonly WebhookRow[];
  readonly disabled: readonly Webhook[];
  readonly event: string | null;
  readonly state: WebhookState | null;
}

export interface WebhookRow {
  readonly webhook: Webhook;
  readonly delivered: number;
  readonly failed: number;
  readonly lastAt: Date | null;
}

export function WebhookListPage({ view }: { view: WebhookListView }) {
  const { rows, disabled, next, first } = view;
  return (
    <PageLayout
      title="Webhooks"
      watch="deliveries"
      intro="When something happens at this desk, Deskwire posts the record to an address of yours: signed, retried, and logged here."
      actions={
        <a class="button primary" href="/settings/webhooks/new">
          Add webhook
        </a>
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
          <Table
            caption="Webhooks"
            columns={['State', 'Event', 'Address', 'Made by', 'Last 24 hours', 'Last delivery']}
            id="webhooks"
            live
          >
            {rows.map((row) => (
              <WebhookLine row={row} key={row.webhook.id} />
            ))}
          </Table>
          <Pager next={next} first={first} label={`${rows.length} shown`} />
        </div>
      )}
    </PageLayout>
  );
}

export function DisabledNotice({ webhook }: { webhook: Webhook }) {
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
    <form action="/settings/webhooks" class="row" aria-label="Filter webhooks">
      <select name="event" class="slim fit" aria-label="Event">
        <SelectOptions
          choices={[{ value: '', label: 'Every event' }, ...toChoices(Object.keys(EVENT_KINDS))]}
          chosen={event}
        />
      </select>
      <select name="state" class="slim fit" aria-label="State">
        <SelectOptions choices={[{ value: '', label: 'Every state' }, ...toChoices(WEBHOOK_STATES)]} chosen={state} />
      </select>
      <button type="submit">Filter</button>
    </form>
  );
}

function WebhookLine({ row: { webhook, delivered, failed, lastAt } }: { row: WebhookRow }) {
  return (
    <tr>
      <td>
        <WebhookStatePill state={webhook.state} />
      </td>
      <td>
        <a class="mono" href={webhookPath(webhook.id)}>
          {webhook.event}
        </a>
      </td>
      <td class="mono break" title={webhook.url}>
        {webhook.url.length > 60 ? `${webhook.url.slice(0, 60)}…` : webhook.url}
      </td>
      <td>{webhook.application?.name ?? 'Console'}</td>
      <td>
        <span class="row nowrap number">
          <Pill tone={delivered > 0 ? 'good' : 'quiet'}>{`${delivered} ok`}</Pill>
          <Pill tone={failed > 0 ? 'bad' : 'quiet'}>{`${failed} failed`}</Pill>
        </span>
      </td>
      <td>{lastAt ? <RelativeTime at={lastAt} /> : <span class="quiet">none yet</span>}</td>
    </tr>
  );
}

function NoWebhooks({ filtered }: { filtered: boolean }) {
  if (filtered)
    return (
      <EmptyState title="No webhook matches">
        <p>
          <a href="/settings/webhooks">Show all webhooks</a>
        </p>
      </EmptyState>
    );
  return (
    <EmptyState title="No webhooks yet">
      <p>A webhook tells another program of yours what happens here, the moment it happens.</p>
      <p>
        <a href="/settings/webhooks/new">Add the first one</a> and send it a test event.
      </p>
    </EmptyState>
  );
}
