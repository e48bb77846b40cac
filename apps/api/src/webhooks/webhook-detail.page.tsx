import type { Webhook } from '#libs/entities';
import { DeleteDialog } from '../layers/ui/parts/dialog.js';
import { FilterForm, PeriodSelect } from '../layers/ui/parts/filters.js';
import { ActionButton, FormAlert } from '../layers/ui/parts/form.js';
import { EmptyState, NoticeBox, WebhookStatePill } from '../layers/ui/parts/indicators.js';
import { PageLayout } from '../layers/shell/shell.js';
import { DeliveriesTable, REDELIVER, StandingSelect, deliveryColumns } from './delivery-parts.js';
import { ReplaysSection } from './replays.js';
import { VerificationSnippets, WebhookSettings } from './webhook-settings.js';
import { FailingNote } from './failing-note.js';
import { disabledReasonText } from './webhook-text.js';
import { TrafficSection } from './traffic-charts.js';
import { DELIVERIES, webhookPath } from './webhook-paths.js';
import type { WebhookDetailView } from './webhook-detail.reader.js';

export function WebhookDetailPage({ view }: { view: WebhookDetailView }) {
  const { webhook } = view;
  return (
    <PageLayout
      title={webhook.name ?? webhook.event}
      watch={`webhook=${webhook.id}`}
      intro={
        <span class="row">
          <WebhookStatePill state={webhook.state} />
          {webhook.name && <span class="mono">{webhook.event}</span>}
          <span class="mono break">{webhook.url}</span>
        </span>
      }
      actions={<WebhookActions webhook={webhook} />}
    >
      <FormAlert />
      {webhook.state === 'disabled' && <DisabledNotice webhook={webhook} />}
      {webhook.state === 'paused' && (
        <NoticeBox tone="warn">Paused. Events are kept and sent when you resume.</NoticeBox>
      )}
      <FailingNote webhook={webhook} />
      {view.traffic && <TrafficSection traffic={view.traffic} webhook={webhook} />}
      <Deliveries view={view} />
      {webhook.state !== 'disabled' && <ReplaysSection webhook={webhook} replays={view.replays} />}
      <div class="columns">
        <WebhookSettings view={view} />
        <section class="card">
          <VerificationSnippets />
        </section>
      </div>
    </PageLayout>
  );
}

function DisabledNotice({ webhook }: { webhook: Webhook }) {
  const { id, disabledReason } = webhook;
  return (
    <NoticeBox tone="warn">
      <p>{disabledReasonText(webhook)}</p>
      {disabledReason !== 'operator' && (
        <>
          <p>
            A replay resends deliveries that failed or were cancelled. No deliveries were created while the webhook was
            disabled.
          </p>
          <ActionButton
            to={`${webhookPath(id)}/replay`}
            label="Enable and replay"
            fields={{ enable: 'yes', which: 'undelivered' }}
          />
        </>
      )}
    </NoticeBox>
  );
}

function WebhookActions({ webhook }: { webhook: Webhook }) {
  const path = webhookPath(webhook.id);
  return (
    <>
      {webhook.state !== 'disabled' && (
        <ActionButton to={`${path}/test`} label="Send test" class="primary" swap="deliveries toasts" />
      )}
      <PauseButton webhook={webhook} />
      <DeleteDialog id="delete-webhook" openerClass="danger" name="this webhook" path={path} what="webhook">
        <p>Pending deliveries are cancelled, and its delivery log is no longer available.</p>
      </DeleteDialog>
    </>
  );
}

/** Only the operator can resume a webhook that the operator stopped. */
function PauseButton({ webhook: { id, state, disabledReason } }: { webhook: Webhook }) {
  if (disabledReason === 'operator') return null;
  const [label, wanted] = state === 'active' ? ['Pause', 'paused'] : ['Resume', 'active'];
  return <ActionButton to={`${webhookPath(id)}/state`} label={label} fields={{ state: wanted }} />;
}

function Deliveries({ view }: { view: WebhookDetailView }) {
  const { webhook, standing, since } = view;
  const isEnabled = webhook.state !== 'disabled';
  const text = isEnabled ? 'Send a test event, or wait for the next event.' : 'A disabled webhook receives nothing.';
  const columns = deliveryColumns(view);
  return (
    <div class="stack">
      <div class="row apart">
        <div class="row">
          <h2>Deliveries</h2>
          <a href={`${DELIVERIES}?webhook=${webhook.id}`}>Search by ticket or status</a>
        </div>
        <FilterForm action={webhookPath(webhook.id)} label="Filter deliveries">
          <StandingSelect chosen={standing} />
          <PeriodSelect since={since} />
        </FilterForm>
      </div>
      <DeliveriesTable view={view} columns={isEnabled ? [...columns, REDELIVER] : columns}>
        <EmptyState title="No deliveries here" text={text} />
      </DeliveriesTable>
    </div>
  );
}
