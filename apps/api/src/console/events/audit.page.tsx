import { FilterForm, FilterSelect, PeriodSelect } from '../../pages/parts/filters.js';
import { toChoices } from '../../pages/parts/fields.js';
import { EmptyState, NothingMatches } from '../../pages/parts/indicators.js';
import { type Column, Pager, Table, type PagerLinks } from '../../pages/parts/table.js';
import { RelativeTime } from '../../pages/parts/relative-time.js';
import { PageLayout } from '../shell/shell.js';
import type { AuditEntries, AuditEntry } from './audit.reader.js';
import { ACTIVITY_KINDS, describeAction } from './activity-description.js';

interface AuditView extends AuditEntries, PagerLinks {
  readonly kind: string | null;
  readonly since: string | null;
}

const eventPath = (id: string): string => `/settings/events/${id}`;

export function AuditPage({ view }: { view: AuditView }) {
  const { items, kind, since, next, first } = view;
  return (
    <PageLayout
      title="Events and audit"
      watch="tickets"
      intro="What happened in this account, who did it, and through what. Newest first."
    >
      <FilterForm action="/settings/events" label="Filter events">
        <FilterSelect name="kind" label="Kind" all="Every kind" choices={toChoices(ACTIVITY_KINDS)} chosen={kind} />
        <PeriodSelect since={since} />
      </FilterForm>
      <div>
        <div id="audit" data-live>
          {items.length === 0 ? (
            <NoAuditEntries narrowed={kind !== null || since !== null} />
          ) : (
            <Table caption="Events and audit" columns={COLUMNS} rows={items} />
          )}
        </div>
        <Pager next={next} first={first} label={`${items.length} shown`} />
      </div>
    </PageLayout>
  );
}

const COLUMNS: readonly Column<AuditEntry>[] = [
  { name: 'When', cell: ({ createdAt }) => <RelativeTime at={createdAt} /> },
  { name: 'Who', cell: ({ actor }) => actor ?? <span class="quiet">Deskwire</span> },
  {
    name: 'What',
    class: 'what',
    cell: (entry) => (
      <a href={eventPath(entry.id)} title={entry.kind}>
        {describeAction(entry)}
      </a>
    ),
  },
  { name: 'Record', class: 'break', cell: (entry) => <AuditSubject entry={entry} /> },
  { name: 'Through', class: 'nowrap-text', cell: channelLabel },
  {
    name: 'Deliveries',
    class: 'number',
    cell: ({ id, deliveries }) =>
      deliveries > 0 ? <a href={eventPath(id)}>{deliveries}</a> : <span class="quiet">–</span>,
  },
];

/** The ticket, the customer or other record, by its name. */
export function AuditSubject({ entry: { subject, kind } }: { entry: AuditEntry }) {
  const number = /^#(\d+)$/.exec(subject)?.[1];
  if (number) return <a href={`/tickets/${number}`}>{subject}</a>;
  if (kind.startsWith('customer_') && kind !== 'customer_deleted')
    return <a href={`/customers/${encodeURIComponent(subject)}`}>{subject}</a>;
  return <>{subject.length > 60 ? `${subject.slice(0, 60)}…` : subject}</>;
}

/** A personal access token acts as its owner, so it looks the same as the console. */
export function channelLabel({ application, actor }: AuditEntry): string {
  return application ?? (actor === null ? '–' : 'Console or token');
}

function NoAuditEntries({ narrowed }: { narrowed: boolean }) {
  if (!narrowed)
    return (
      <EmptyState title="Nothing has happened yet">
        <p>Everything that is done to tickets, customers, people and webhooks will be listed here.</p>
      </EmptyState>
    );
  return <NothingMatches title="No matching events" href="/settings/events" label="Show everything" />;
}
