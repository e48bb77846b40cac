import { sentenceOf } from '../inbox/activity-words.js';
import { Table } from '../../pages/parts/table.js';
import { Time, exactly } from '../../pages/parts/time.js';
import { Page } from '../shell/shell.js';
import { DeliveryStatePill, deliveryPath } from '../webhooks/deliveries-table.js';
import { hostOf } from '../webhooks/webhooks.page.js';
import { Subject, throughOf } from './audit.page.js';
import type { Audited, DeliveryOfEvent } from './audit.rows.js';
import type { Change } from './changes.js';

export interface EventView {
  readonly audited: Audited;
  readonly changes: readonly Change[];
  /** Null where no webhook could be told of it, or it is no longer kept. */
  readonly payload: string | null;
  readonly deliveries: readonly DeliveryOfEvent[];
}

export function EventPage({ view }: { view: EventView }) {
  const { audited, changes, payload, deliveries } = view;
  return (
    <Page title={audited.kind} here="/settings/events" intro={<a href="/settings/events">← All events</a>}>
      <section class="card stack" aria-label="What happened">
        <p>
          <strong>{sentenceOf(audited)}</strong>
        </p>
        <Facts audited={audited} />
      </section>
      {changes.length > 0 && <Changes changes={changes} />}
      {audited.isEvent && <Deliveries deliveries={deliveries} />}
      {payload !== null && (
        <section class="stack" aria-labelledby="payload">
          <h2 id="payload">As webhooks are told</h2>
          <pre tabIndex={0} aria-label="Payload">
            {JSON.stringify(JSON.parse(payload), null, 2)}
          </pre>
        </section>
      )}
    </Page>
  );
}

function Facts({ audited }: { audited: Audited }) {
  const { createdAt, requestId, id } = audited;
  return (
    <dl class="facts">
      <dt>Of</dt>
      <dd class="break">
        <Subject audited={audited} />
      </dd>
      <dt>When</dt>
      <dd>
        <Time at={createdAt} /> <span class="quiet">{`(${exactly(createdAt)})`}</span>
      </dd>
      <dt>Through</dt>
      <dd>{throughOf(audited)}</dd>
      {requestId && (
        <>
          <dt>Request</dt>
          <dd class="mono break">{requestId}</dd>
        </>
      )}
      <dt>Id</dt>
      <dd class="mono break">{id}</dd>
    </dl>
  );
}

function Changes({ changes }: { changes: readonly Change[] }) {
  return (
    <section class="stack" aria-labelledby="changes">
      <h2 id="changes">What changed</h2>
      <Table caption="Fields that changed" columns={['Field', 'Before', 'After']}>
        {changes.map(({ field, before, after }) => (
          <tr key={field}>
            <td class="mono">{field}</td>
            <td class="break">
              <del>{before}</del>
            </td>
            <td class="break">
              <ins>{after}</ins>
            </td>
          </tr>
        ))}
      </Table>
    </section>
  );
}

function Deliveries({ deliveries }: { deliveries: readonly DeliveryOfEvent[] }) {
  return (
    <section class="stack" aria-labelledby="event-deliveries">
      <h2 id="event-deliveries">Deliveries</h2>
      {deliveries.length === 0 ? (
        <p class="quiet">No webhook waited for it.</p>
      ) : (
        <Table caption="Deliveries of this event" columns={['State', 'To', 'Attempts', 'Created']}>
          {deliveries.map(({ id, state, url, attempts, createdAt }) => (
            <tr key={id}>
              <td>
                <a href={deliveryPath(id)} aria-label={`Delivery ${id}, ${state}`}>
                  <DeliveryStatePill state={state} />
                </a>
              </td>
              <td class="break">{url ? hostOf(url) : 'a webhook that was deleted'}</td>
              <td class="number">{attempts}</td>
              <td>
                <Time at={createdAt} />
              </td>
            </tr>
          ))}
        </Table>
      )}
    </section>
  );
}
