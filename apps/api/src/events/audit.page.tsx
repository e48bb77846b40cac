import { FilterForm, FilterSelect, PeriodSelect } from '../layers/ui/parts/filters.js';
import { toChoices } from '../layers/ui/parts/fields.js';
import { EmptyState, NothingMatches } from '../layers/ui/parts/indicators.js';
import { type Column, Pager, Table, type PagerLinks } from '../layers/ui/parts/table.js';
import { RelativeTime } from '../layers/ui/parts/relative-time.js';
import { PageLayout } from '../layers/shell/shell.js';
import { HiddenFields } from '../layers/ui/parts/form.js';
import { DeliveryLink, RecordLink } from '../webhooks/index.js';
import type { AuditEntry, EventDelivery } from './audit.statements.js';
import { ACTIVITY_KINDS, ActivityAction } from './activity-description.js';

interface AuditView extends PagerLinks {
  readonly items: readonly AuditEntry[];
  readonly kind: string | null;
  readonly since: string | null;
  readonly ticket: number | null;
  readonly deliveries: readonly EventDelivery[];
}

const eventPath = (id: string): string => `/settings/events/${id}`;

export function AuditPage({ view }: { view: AuditView }) {
  const { items, kind, since, ticket, deliveries, next, first } = view;
  return (
    <PageLayout
      title="Events and audit"
      watch="tickets"
      intro={ticket === null ? INTRO : <TicketIntro number={ticket} />}
    >
      <FilterForm action="/settings/events" label="Filter events">
        {ticket !== null && <HiddenFields fields={{ ticket: `${ticket}` }} />}
        <FilterSelect name="kind" label="Kind" all="Every kind" choices={toChoices(ACTIVITY_KINDS)} chosen={kind} />
        <PeriodSelect since={since} />
      </FilterForm>
      <div>
        <div id="audit" data-live>
          {items.length === 0 ? (
            <NoAuditEntries narrowed={kind !== null || since !== null || ticket !== null} />
          ) : (
            <Table
              caption="Events and audit"
              columns={[...COLUMNS, ticket === null ? DELIVERIES_COUNT : deliveriesColumn(deliveries)]}
              rows={items}
            />
          )}
        </div>
        <Pager next={next} first={first} label={`${items.length} shown`} />
      </div>
    </PageLayout>
  );
}

const INTRO = 'Everything that happened in this account, newest first.';

function TicketIntro({ number }: { number: number }) {
  return (
    <>
      What happened to <a href={`/tickets/${number}`}>{`ticket #${number}`}</a>, and what was sent to webhooks. Newest
      first. <a href="/settings/events">Show everything</a>
    </>
  );
}

const COLUMNS: readonly Column<AuditEntry>[] = [
  { name: 'When', plain: true, cell: ({ createdAt }) => <RelativeTime at={createdAt} /> },
  {
    name: 'Who',
    plain: true,
    cell: ({ actor, application }) => (
      <>
        {actor ?? <span class="quiet">Deskwire</span>}
        {application && <span class="quiet small block">{`through ${application}`}</span>}
      </>
    ),
  },
  {
    name: 'What',
    plain: true,
    class: 'what',
    cell: (entry) => (
      <a href={eventPath(entry.id)} title={entry.kind}>
        <ActivityAction activity={entry} />
      </a>
    ),
  },
  { name: 'Record', plain: true, class: 'break', cell: (entry) => <RecordLink of={entry} /> },
];

const DELIVERIES_COUNT: Column<AuditEntry> = {
  name: 'Deliveries',
  class: 'number',
  cell: ({ id, deliveries }) => deliveries > 0 && <a href={eventPath(id)}>{deliveries}</a>,
};

const deliveriesColumn = (all: readonly EventDelivery[]): Column<AuditEntry> => ({
  name: 'Deliveries',
  cell: ({ id, deliveries }) => {
    const own = all.filter(({ eventId }) => eventId === id);
    return (
      <span class="row">
        {own.map((delivery) => (
          <DeliveryLink delivery={delivery} key={delivery.id} />
        ))}
        {deliveries > own.length && <a href={eventPath(id)}>{`all ${deliveries}`}</a>}
      </span>
    );
  },
});

function NoAuditEntries({ narrowed }: { narrowed: boolean }) {
  if (!narrowed)
    return (
      <EmptyState
        title="Nothing has happened yet"
        text="Changes to tickets, customers, people and webhooks will be listed here."
      />
    );
  return <NothingMatches title="No matching events" href="/settings/events" label="Show everything" />;
}
