import type { Attempt, Webhook } from '#libs/entities';
import type { DeliveryDetails } from '#libs/webhooks';
import { CopyButton } from '../../pages/parts/copy-button.js';
import { ActionButton } from '../../pages/parts/form.js';
import { RelativeTime, formatDuration } from '../../pages/parts/relative-time.js';
import { PageLayout } from '../shell/shell.js';
import { StandingPill } from '../../pages/parts/indicators.js';
import { attemptText, lastResultText, nextAttemptText } from './webhook-text.js';
import { webhookPath, deliveryPath } from './webhook-paths.js';

export function DeliveryPage({ delivery, webhook, attempts, event }: DeliveryDetails & { webhook: Webhook }) {
  const last = attempts.at(-1);
  return (
    <PageLayout
      title={`Delivery of ${delivery.kind}`}
      section="/settings/webhooks"
      watch={`webhook=${webhook.id}`}
      intro={<a href={webhookPath(webhook.id)}>← All deliveries to {webhook.url}</a>}
      actions={
        webhook.state !== 'disabled' && (
          <ActionButton to={`${deliveryPath(delivery.id)}/redeliver`} label="Redeliver" class="primary" />
        )
      }
    >
      <div class="card" id="summary" data-live>
        <p class="row">
          <StandingPill delivery={delivery} />
          <span>{lastResultText(delivery)}</span>
          {delivery.state === 'pending' && delivery.nextAttemptAt && (
            <span class="quiet">
              Next try <RelativeTime at={delivery.nextAttemptAt} />.
            </span>
          )}
        </p>
      </div>
      <Attempts attempts={attempts} />
      <div class="columns">
        <RequestCard last={last} webhook={webhook} body={event?.payload ?? ''} />
        <ResponseCard last={last} />
      </div>
    </PageLayout>
  );
}

function Attempts({ attempts }: { attempts: readonly Attempt[] }) {
  return (
    <section class="stack" aria-labelledby="attempts-title">
      <h2 id="attempts-title">Attempts</h2>
      <ol class="timeline" id="attempts" data-live>
        {attempts.length === 0 && <li class="quiet">None yet.</li>}
        {attempts.map((attempt) => (
          <li class="card" key={attempt.id}>
            <p class="row">
              <strong>{`Attempt ${attempt.number}`}</strong>
              <RelativeTime at={attempt.startedAt} />
              <span class="quiet number">{`took ${formatDuration(attempt.durationMs)}`}</span>
            </p>
            <p>{attemptText(attempt)}</p>
            {attempt.errorDetail && <p class="mono quiet break">{attempt.errorDetail}</p>}
            {attempt.nextReason && <p class="quiet small">{nextAttemptText(attempt.nextReason)}</p>}
          </li>
        ))}
      </ol>
    </section>
  );
}

interface RequestCardProps {
  readonly last: Attempt | undefined;
  readonly webhook: Webhook;
  /** The exact text that is sent. */
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
      <Headers headers={headers} />
      <pre tabIndex={0} aria-label="Body of the request">
        {pretty(body)}
      </pre>
    </section>
  );
}

function Headers({ headers }: { headers: readonly [string, string][] }) {
  return (
    <dl class="facts mono">
      {headers.map(([name, value]) => (
        <>
          <dt key={name}>{name}</dt>
          <dd class="break">{value}</dd>
        </>
      ))}
    </dl>
  );
}

function ResponseCard({ last }: { last: Attempt | undefined }) {
  return (
    <section class="card stack" aria-labelledby="answer-title">
      <h2 id="answer-title">Last answer</h2>
      {last?.status ? <p>{`Status ${last.status}`}</p> : <p class="quiet">There was no answer.</p>}
      {last?.responseBody && (
        <pre tabIndex={0} aria-label="Body of the answer">
          {last.responseBody}
        </pre>
      )}
    </section>
  );
}

/** Indented for reading. What is sent is the body as it is. */
function pretty(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2);
  } catch {
    return body;
  }
}

/** It has no signature, because signatures are not stored. A receiver that checks them refuses it, as it should. */
function curlCommand(url: string, headers: readonly [string, string][], body: string): string {
  const lines = headers.map(([name, value]) => `-H ${shellQuoted(`${name}: ${value}`)}`);
  return [`curl -X POST ${shellQuoted(url)}`, ...lines, `--data-raw ${shellQuoted(body)}`].join(' \\\n  ');
}

const shellQuoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;
