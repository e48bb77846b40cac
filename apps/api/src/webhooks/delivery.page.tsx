import type { Attempt, Webhook } from '#libs/entities';
import type { DeliveryDetails } from '#libs/payloads';
import { CopyButton } from '../layers/ui/parts/copy-button.js';
import { Facts } from '../layers/ui/parts/facts.js';
import { ActionButton } from '../layers/ui/parts/form.js';
import { PageLayout } from '../layers/shell/shell.js';
import { StandingPill } from '../layers/ui/parts/indicators.js';
import { AttemptTimeline } from './attempt-timeline.js';
import { NextTry, SubjectLink, nextAttemptOf } from './delivery-parts.js';
import { VERIFY_SNIPPET } from './snippets.js';
import { lastResultText } from './webhook-text.js';
import type { DeliverySubject } from './webhooks.statements.js';
import { webhookPath, deliveryPath } from './webhook-paths.js';

interface DeliveryPageProps extends DeliveryDetails {
  readonly webhook: Webhook;
  readonly subject: DeliverySubject | undefined;
}

export function DeliveryPage({ delivery, webhook, attempts, event, subject }: DeliveryPageProps) {
  const last = attempts.at(-1);
  const planned = nextAttemptOf(delivery);
  const eventPath = `/settings/events/${delivery.eventId}`;
  return (
    <PageLayout
      title={`Delivery of ${delivery.kind}`}
      section="/settings/deliveries"
      watch={`webhook=${webhook.id}`}
      intro={<a href={webhookPath(webhook.id)}>← All deliveries to {webhook.url}</a>}
      actions={
        webhook.state !== 'disabled' && (
          <ActionButton to={`${deliveryPath(delivery.id)}/redeliver`} label="Redeliver" class="primary" />
        )
      }
    >
      <div class="card stack" id="summary" data-live>
        <p class="row">
          <StandingPill delivery={delivery} />
          <span>{lastResultText(delivery)}</span>
          {planned && (
            <span class="quiet">
              Next try <NextTry planned={planned} webhook={webhook} />.
            </span>
          )}
        </p>
        <Facts
          of={[
            ['About', <SubjectLink subject={subject} />],
            [
              'Event',
              <code>{subject && !subject.isTest ? <a href={eventPath}>{delivery.eventId}</a> : delivery.eventId}</code>,
            ],
          ]}
        />
      </div>
      <AttemptTimeline delivery={delivery} attempts={attempts} webhook={webhook} />
      <div class="columns">
        <RequestCard last={last} webhook={webhook} body={event?.payload ?? ''} />
        <ResponseCard last={last} />
      </div>
    </PageLayout>
  );
}

interface RequestCardProps {
  readonly last: Attempt | undefined;
  readonly webhook: Webhook;
  /** The exact bytes that are sent. */
  readonly body: string;
}

function RequestCard({ last, webhook, body }: RequestCardProps) {
  const headers = Object.entries(last?.requestHeaders ?? {});
  return (
    <section class="card stack" aria-labelledby="request-title">
      <div class="row apart">
        <h2 id="request-title">Request</h2>
        <CopyButton text={curlCommand(webhook.url, headers, body)} what="the request as a curl command" />
      </div>
      <p class="mono break">POST {webhook.url}</p>
      <Facts of={last ? [...headers, HIDDEN_SIGNATURE] : headers} class="mono" />
      {last && <VerifyIt />}
      <pre tabIndex={0} aria-label="Body of the request">
        {pretty(body)}
      </pre>
    </section>
  );
}

const HIDDEN_SIGNATURE: [string, string] = ['webhook-signature', 'v1,•••••••• dw1,•••••••• (not kept)'];

function VerifyIt() {
  return (
    <details>
      <summary>Verify it yourself</summary>
      <div class="stack">
        <p class="quiet small">
          Prints the v1 signature that webhook-signature must contain. Pass the secret, the headers and the raw body
          that your receiver got.
        </p>
        <pre tabIndex={0} aria-label="Verification of this request">
          {VERIFY_SNIPPET}
        </pre>
        <CopyButton text={VERIFY_SNIPPET} what="the verification" />
      </div>
    </details>
  );
}

function ResponseCard({ last }: { last: Attempt | undefined }) {
  return (
    <section class="card stack" aria-labelledby="answer-title">
      <h2 id="answer-title">Last response</h2>
      {last?.status ? <p>{`Status ${last.status}`}</p> : <p class="quiet">No response.</p>}
      {last?.responseBody && (
        <pre class="answer" tabIndex={0} aria-label="Body of the response">
          {last.responseBody}
        </pre>
      )}
    </section>
  );
}

function pretty(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2);
  } catch {
    return body;
  }
}

/** A receiver that verifies signatures refuses it, because signatures are not stored. */
function curlCommand(url: string, headers: readonly [string, string][], body: string): string {
  const lines = headers.map(([name, value]) => `-H ${shellQuoted(`${name}: ${value}`)}`);
  return [`curl -X POST ${shellQuoted(url)}`, ...lines, `--data-raw ${shellQuoted(body)}`].join(' \\\n  ');
}

const shellQuoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;
