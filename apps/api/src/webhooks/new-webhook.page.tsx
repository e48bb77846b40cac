import type { Webhook } from '#libs/entities';
import { EVENT_KINDS, type EventKind } from '#libs/payloads';
import { Field } from '../layers/ui/parts/fields.js';
import { Form, FormAlert, SubmitButton } from '../layers/ui/parts/form.js';
import { NoticeBox } from '../layers/ui/parts/indicators.js';
import { PageLayout } from '../layers/shell/shell.js';
import { FilterField, PreviewButton } from './webhook-filter.js';
import { CredentialFields } from './webhook-credentials.js';
import { webhookPath } from './webhook-paths.js';
import { SecretSection, VerificationSnippets } from './webhook-settings.js';

const RECORDS = ['Ticket', 'Message', 'Customer', 'Agent'] as const;

const kindsOf = (record: (typeof RECORDS)[number]): EventKind[] =>
  (Object.keys(EVENT_KINDS) as EventKind[]).filter((kind) => EVENT_KINDS[kind].record === record);

export function NewWebhookPage({ events, test }: { events: readonly string[]; test: boolean }) {
  return (
    <PageLayout
      title="Add webhook"
      narrow
      intro="A webhook receives one kind of event. Select several to add one webhook for each, all with the same URL."
    >
      <FormAlert />
      <Form action="/settings/webhooks" class="card stack wide">
        <Field
          label="URL"
          name="url"
          type="url"
          required
          placeholder="https://example.com/deskwire"
          hint="Deskwire sends POST requests here. The receiver must respond with 2xx within 15 seconds."
        />
        {RECORDS.map((record) => (
          <EventGroup record={record} chosen={events} key={record} />
        ))}
        <FilterField />
        <CredentialFields />
        <label class="check">
          <input type="checkbox" name="test" value="yes" checked={test} />
          <span>Send a test event now</span>
        </label>
        <div class="row">
          <SubmitButton>Add webhook</SubmitButton>
          <PreviewButton />
          <a href="/settings/webhooks">Cancel</a>
        </div>
      </Form>
    </PageLayout>
  );
}

function EventGroup({ record, chosen }: { record: (typeof RECORDS)[number]; chosen: readonly string[] }) {
  return (
    <fieldset data-group>
      <legend>{`${record} events`}</legend>
      {kindsOf(record).map((kind) => (
        <label class="check" key={kind}>
          <input type="checkbox" name="event[]" value={kind} checked={chosen.includes(kind)} />
          <span>
            <code>{kind}</code> <span class="quiet">{EVENT_KINDS[kind].when}</span>
          </span>
        </label>
      ))}
    </fieldset>
  );
}

export function WebhookCreatedPage({ webhooks }: { webhooks: readonly Webhook[] }) {
  const several = webhooks.length > 1;
  return (
    <PageLayout title={several ? `${webhooks.length} webhooks added` : 'Webhook added'} narrow>
      <NoticeBox tone="good" role="status">
        {several ? 'They are active now.' : 'It is active now.'} You can reveal the secret at any time on the webhook’s
        page.
      </NoticeBox>
      {webhooks.map((webhook) => (
        <section class="card stack" aria-label={webhook.event} key={webhook.id}>
          <div class="row apart">
            <h2 class="mono">{webhook.event}</h2>
            <a href={webhookPath(webhook.id)}>View its deliveries</a>
          </div>
          <p class="mono break">{webhook.url}</p>
          <SecretSection webhook={webhook} />
        </section>
      ))}
      <div class="card">
        <VerificationSnippets />
      </div>
    </PageLayout>
  );
}
