import type { Event, EventChanges } from '#libs/entities';
import { type Column, Table } from '../layers/ui/parts/table.js';
import { ExactTime, RelativeTime } from '../layers/ui/parts/relative-time.js';
import { PageLayout } from '../layers/shell/shell.js';
import { DeliveryLink, RecordLink, hostOf } from '../webhooks/index.js';
import type { AuditEntry, EventDelivery } from './audit.statements.js';
import { ActivitySentence } from './activity-description.js';

interface EventProps {
  readonly entry: AuditEntry;
  readonly event: Pick<Event, 'payload' | 'changes'> | undefined;
  readonly deliveries: readonly EventDelivery[];
}

export function EventPage({ entry, event, deliveries }: EventProps) {
  const changes = Object.entries(event?.changes ?? {});
  return (
    <PageLayout title={entry.kind} intro={<a href="/settings/events">← All events</a>}>
      <section class="card stack" aria-label="What happened">
        <p>
          <strong>
            <ActivitySentence activity={entry} />
          </strong>
        </p>
        <Facts entry={entry} />
      </section>
      {changes.length > 0 && (
        <section class="stack" aria-labelledby="changes">
          <h2 id="changes">What changed</h2>
          <Table caption="Fields that changed" columns={CHANGE_COLUMNS} rows={changes} />
        </section>
      )}
      {entry.isEvent && <Deliveries deliveries={deliveries} />}
      {event && (
        <section class="stack" aria-labelledby="payload">
          <h2 id="payload">What webhooks receive</h2>
          <pre tabIndex={0} aria-label="Payload">
            {JSON.stringify(JSON.parse(event.payload), null, 2)}
          </pre>
        </section>
      )}
    </PageLayout>
  );
}

function Facts({ entry }: { entry: AuditEntry }) {
  const { createdAt, application, requestId, id } = entry;
  return (
    <dl class="facts">
      <dt>Record</dt>
      <dd class="break">
        <RecordLink of={entry} />
      </dd>
      <dt>When</dt>
      <dd>
        <RelativeTime at={createdAt} />{' '}
        <span class="quiet">
          (<ExactTime at={createdAt} />)
        </span>
      </dd>
      {application && (
        <>
          <dt>Through</dt>
          <dd>{application}</dd>
        </>
      )}
      {requestId && (
        <>
          <dt>Request</dt>
          <dd class="mono break">{requestId}</dd>
        </>
      )}
      <dt>ID</dt>
      <dd class="mono break">{id}</dd>
    </dl>
  );
}

const CHANGE_COLUMNS: readonly Column<[field: string, change: EventChanges[string]]>[] = [
  { name: 'Field', class: 'mono', cell: ([field]) => field },
  { name: 'Before', class: 'break', cell: ([, [before]]) => <del>{displayValue(before)}</del> },
  { name: 'After', class: 'break', cell: ([, [, after]]) => <ins>{displayValue(after)}</ins> },
];

function displayValue(value: unknown): string {
  if (value === null || value === undefined || value === '') return '–';
  if (Array.isArray(value)) return value.length === 0 ? '–' : value.map(displayValue).join(', ');
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function Deliveries({ deliveries }: { deliveries: readonly EventDelivery[] }) {
  return (
    <section class="stack" aria-labelledby="event-deliveries">
      <h2 id="event-deliveries">Deliveries</h2>
      {deliveries.length === 0 ? (
        <p class="quiet">No webhook was registered for this event.</p>
      ) : (
        <Table caption="Deliveries of this event" columns={DELIVERY_COLUMNS} rows={deliveries} />
      )}
    </section>
  );
}

const DELIVERY_COLUMNS: readonly Column<EventDelivery>[] = [
  { name: 'State', cell: (delivery) => <DeliveryLink delivery={delivery} /> },
  { name: 'To', class: 'break', cell: ({ url }) => (url ? hostOf(url) : 'a deleted webhook') },
  { name: 'Attempts', class: 'number', cell: ({ attempts }) => attempts },
  { name: 'Created', cell: ({ createdAt }) => <RelativeTime at={createdAt} /> },
];
