import { ACTIVITY_KINDS, deedOf } from '../inbox/activity-words.js';
import { same } from '../inbox/filters.js';
import { Options } from '../../pages/parts/form.js';
import { Empty } from '../../pages/parts/marks.js';
import { PERIODS } from '../../pages/parts/periods.js';
import { Pager, Table } from '../../pages/parts/table.js';
import { Time } from '../../pages/parts/time.js';
import { Page } from '../shell/shell.js';
import type { Audited } from './audit.rows.js';

export interface AuditView {
  readonly items: readonly Audited[];
  readonly kind: string | null;
  readonly since: string | null;
  readonly next: string | null;
  readonly first: string | null;
}

export const eventPath = (id: string): string => `/settings/events/${id}`;

export function AuditPage({ view }: { view: AuditView }) {
  const { items, kind, since, next, first } = view;
  return (
    <Page
      title="Events and audit"
      here="/settings/events"
      watch="tickets"
      intro="What happened in this account, who did it, and through what. Newest first."
    >
      <form action="/settings/events" class="row" aria-label="Filter events">
        <select name="kind" class="slim fit" aria-label="Kind">
          <Options choices={[{ value: '', label: 'Every kind' }, ...same(ACTIVITY_KINDS)]} chosen={kind} />
        </select>
        <select name="since" class="slim fit" aria-label="Time">
          <Options choices={PERIODS} chosen={since} />
        </select>
        <button type="submit">Filter</button>
      </form>
      <div>
        <div id="audit" data-live>
          {items.length === 0 ? <Nothing narrowed={kind !== null || since !== null} /> : <Audit items={items} />}
        </div>
        <Pager next={next} first={first} label={`${items.length} shown`} />
      </div>
    </Page>
  );
}

function Audit({ items }: { items: readonly Audited[] }) {
  return (
    <Table caption="Events and audit" columns={['When', 'Who', 'What', 'Of', 'Through', 'Deliveries']}>
      {items.map((audited) => (
        <AuditLine audited={audited} key={audited.id} />
      ))}
    </Table>
  );
}

function AuditLine({ audited }: { audited: Audited }) {
  const { id, kind, createdAt, actor, deliveries } = audited;
  return (
    <tr>
      <td>
        <Time at={createdAt} />
      </td>
      <td>{actor ?? <span class="quiet">Deskwire</span>}</td>
      <td class="what">
        <a href={eventPath(id)} title={kind}>
          {deedOf(audited)}
        </a>
      </td>
      <td class="break">
        <Subject audited={audited} />
      </td>
      <td class="nowrap-text">{throughOf(audited)}</td>
      <td class="number">{deliveries > 0 ? <a href={eventPath(id)}>{deliveries}</a> : <span class="quiet">–</span>}</td>
    </tr>
  );
}

/** A ticket, a customer or whatever else it was done to, by its own name. */
export function Subject({ audited: { subject, kind } }: { audited: Audited }) {
  const number = /^#(\d+)$/.exec(subject)?.[1];
  if (number) return <a href={`/tickets/${number}`}>{subject}</a>;
  if (kind.startsWith('customer_') && kind !== 'customer_deleted')
    return <a href={`/customers/${encodeURIComponent(subject)}`}>{subject}</a>;
  return <>{subject.length > 60 ? `${subject.slice(0, 60)}…` : subject}</>;
}

/** A personal access token acts as its person, so it cannot be told from the console. */
export const throughOf = ({ application, actor }: Audited): string =>
  application ?? (actor === null ? '–' : 'Console or token');

function Nothing({ narrowed }: { narrowed: boolean }) {
  if (!narrowed)
    return (
      <Empty title="Nothing has happened yet">
        <p>Whatever anybody does to tickets, customers, people and webhooks will be listed here.</p>
      </Empty>
    );
  return (
    <Empty title="Nothing of the kind">
      <p>
        <a href="/settings/events">Show everything</a>
      </p>
    </Empty>
  );
}
