import { SelectOptions, toChoices } from '../../pages/parts/form.js';
import { EmptyState } from '../../pages/parts/indicators.js';
import { PERIODS } from '../../pages/parts/periods.js';
import { Pager, Table, type PagerLinks } from '../../pages/parts/table.js';
import { RelativeTime } from '../../pages/parts/relative-time.js';
import { PageLayout } from '../shell/shell.js';
import type { AuditEntry } from './audit.reader.js';
import { ACTIVITY_KINDS, describeAction } from './activity-description.js';

export interface AuditView extends PagerLinks {
  readonly items: readonly AuditEntry[];
  readonly kind: string | null;
  readonly since: string | null;
}

export const eventPath = (id: string): string => `/settings/events/${id}`;

export function AuditPage({ view }: { view: AuditView }) {
  const { items, kind, since, next, first } = view;
  return (
    <PageLayout
      title="Events and audit"
      watch="tickets"
      intro="What happened in this account, who did it, and through what. Newest first."
    >
      <form action="/settings/events" class="row" aria-label="Filter events">
        <select name="kind" class="slim fit" aria-label="Kind">
          <SelectOptions choices={[{ value: '', label: 'Every kind' }, ...toChoices(ACTIVITY_KINDS)]} chosen={kind} />
        </select>
        <select name="since" class="slim fit" aria-label="Time">
          <SelectOptions choices={PERIODS} chosen={since} />
        </select>
        <button type="submit">Filter</button>
      </form>
      <div>
        <div id="audit" data-live>
          {items.length === 0 ? (
            <NoAuditEntries narrowed={kind !== null || since !== null} />
          ) : (
            <AuditTable items={items} />
          )}
        </div>
        <Pager next={next} first={first} label={`${items.length} shown`} />
      </div>
    </PageLayout>
  );
}

function AuditTable({ items }: { items: readonly AuditEntry[] }) {
  return (
    <Table caption="Events and audit" columns={['When', 'Who', 'What', 'Of', 'Through', 'Deliveries']}>
      {items.map((entry) => (
        <AuditLine entry={entry} key={entry.id} />
      ))}
    </Table>
  );
}

function AuditLine({ entry }: { entry: AuditEntry }) {
  const { id, kind, createdAt, actor, deliveries } = entry;
  return (
    <tr>
      <td>
        <RelativeTime at={createdAt} />
      </td>
      <td>{actor ?? <span class="quiet">Deskwire</span>}</td>
      <td class="what">
        <a href={eventPath(id)} title={kind}>
          {describeAction(entry)}
        </a>
      </td>
      <td class="break">
        <AuditSubject entry={entry} />
      </td>
      <td class="nowrap-text">{channelLabel(entry)}</td>
      <td class="number">{deliveries > 0 ? <a href={eventPath(id)}>{deliveries}</a> : <span class="quiet">–</span>}</td>
    </tr>
  );
}

/** The ticket, the customer or other record, by its name. */
export function AuditSubject({ entry: { subject, kind } }: { entry: AuditEntry }) {
  const number = /^#(\d+)$/.exec(subject)?.[1];
  if (number) return <a href={`/tickets/${number}`}>{subject}</a>;
  if (kind.startsWith('customer_') && kind !== 'customer_deleted')
    return <a href={`/customers/${encodeURIComponent(subject)}`}>{subject}</a>;
  return <>{subject.length > 60 ? `${subject.slice(0, 60)}…` : subject}</>;
}

/** A personal access token acts as its owner, so it looks the same as the console. */
export const channelLabel = ({ application, actor }: AuditEntry): string =>
  application ?? (actor === null ? '–' : 'Console or token');

function NoAuditEntries({ narrowed }: { narrowed: boolean }) {
  if (!narrowed)
    return (
      <EmptyState title="Nothing has happened yet">
        <p>Whatever anybody does to tickets, customers, people and webhooks will be listed here.</p>
      </EmptyState>
    );
  return (
    <EmptyState title="Nothing of the kind">
      <p>
        <a href="/settings/events">Show everything</a>
      </p>
    </EmptyState>
  );
}
