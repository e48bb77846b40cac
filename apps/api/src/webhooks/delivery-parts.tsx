import { DELIVERY_STANDINGS, type Delivery, type DeliveryProgress, type Webhook, standingOf } from '#libs/entities';
import { EVENT_KINDS } from '#libs/payloads';
import type { ComponentChildren } from 'preact';
import { toChoices } from '../layers/ui/parts/fields.js';
import { FilterSelect } from '../layers/ui/parts/filters.js';
import { StandingPill, standingWords } from '../layers/ui/parts/indicators.js';
import { RelativeTime } from '../layers/ui/parts/relative-time.js';
import { deliveryPath } from './webhook-paths.js';
import { ActionButton } from '../layers/ui/parts/form.js';
import { type Column, Pager, type PagerLinks, Table, actionsColumn } from '../layers/ui/parts/table.js';
import type { DeliverySubject, DeliverySubjects } from './webhooks.statements.js';
import { lastResultText } from './webhook-text.js';

export function DeliveryLink({ delivery }: { delivery: DeliveryProgress & { id: string } }) {
  const { id } = delivery;
  return (
    <a href={deliveryPath(id)} aria-label={`Delivery ${id}, ${standingWords(standingOf(delivery))}`}>
      <StandingPill delivery={delivery} />
    </a>
  );
}

export function SubjectLink({ subject: found }: { subject: DeliverySubject | undefined }) {
  if (!found) return <span class="quiet">Deleted</span>;
  return found.isTest ? <span class="quiet">Test event</span> : <RecordLink of={found} prefix="Ticket " />;
}

export function RecordLink({ of: { kind, subject }, prefix = '' }: { of: ActivityRecord; prefix?: string }) {
  const number = /^#(\d+)$/.exec(subject)?.[1];
  if (number) return <a href={`/tickets/${number}`}>{`${prefix}${subject}`}</a>;
  if (kind.startsWith('customer_') && kind !== 'customer_deleted')
    return <a href={`/customers/${encodeURIComponent(subject)}`}>{subject}</a>;
  return <>{subject.length > 60 ? `${subject.slice(0, 60)}…` : subject}</>;
}

type ActivityRecord = Pick<DeliverySubject, 'kind' | 'subject'>;

export type WebhookPace = Pick<Webhook, 'state' | 'retryAfterUntil'>;

/** Null while the webhook is not active. A receiver that asked us to slow down delays the attempt. */
export function nextTryAt(planned: Date | null, { state, retryAfterUntil }: WebhookPace): Date | null {
  if (planned === null || state !== 'active') return null;
  return retryAfterUntil !== null && retryAfterUntil > planned ? retryAfterUntil : planned;
}

export const nextAttemptOf = ({ state, nextAttemptAt }: Pick<Delivery, 'state' | 'nextAttemptAt'>): Date | null =>
  state === 'pending' ? nextAttemptAt : null;

export function NextTry({ planned, webhook }: { planned: Date; webhook: WebhookPace }) {
  if (webhook.state === 'paused') return <>when the webhook is resumed</>;
  const at = nextTryAt(planned, webhook);
  return at ? <RelativeTime at={at} /> : <>when the webhook is enabled</>;
}

const STANDINGS = DELIVERY_STANDINGS.map((value) => ({ value, label: standingWords(value) }));
const EVENTS = toChoices(Object.keys(EVENT_KINDS));

export const StandingSelect = ({ chosen }: { chosen: string | null }) => (
  <FilterSelect name="standing" label="State" all="Every state" choices={STANDINGS} chosen={chosen} />
);

export const EventSelect = ({ chosen }: { chosen: string | null }) => (
  <FilterSelect name="event" label="Event" all="Every event" choices={EVENTS} chosen={chosen} />
);

export interface ListedDeliveries extends PagerLinks {
  readonly deliveries: readonly Delivery[];
  readonly subjects: DeliverySubjects;
  readonly attemptsAllowed: number;
}

type TableProps = { view: ListedDeliveries; columns: readonly Column<Delivery>[]; children: ComponentChildren };

export const DeliveriesTable = ({ view: { deliveries, next, first }, columns, children }: TableProps) => (
  <>
    <div id="deliveries" data-live>
      {deliveries.length === 0 ? children : <Table caption="Deliveries" columns={columns} rows={deliveries} />}
    </div>
    <Pager next={next} first={first} label={`${deliveries.length} shown`} />
  </>
);

export const deliveryColumns = ({ subjects, attemptsAllowed }: ListedDeliveries): Column<Delivery>[] => [
  { name: 'State', plain: true, cell: (delivery) => <DeliveryLink delivery={delivery} /> },
  { name: 'About', plain: true, class: 'clip', cell: ({ eventId }) => <SubjectLink subject={subjects.get(eventId)} /> },
  { name: 'Why', plain: true, class: 'small quiet what', cell: lastResultText },
  {
    name: 'Attempt',
    class: 'number',
    cell: ({ attempts }) => `${attempts} of ${Math.max(attempts, attemptsAllowed)}`,
  },
  {
    name: 'Next try',
    cell: (delivery) => {
      const planned = nextAttemptOf(delivery);
      const { webhook } = delivery;
      return planned && webhook ? <NextTry planned={planned} webhook={webhook} /> : <span class="quiet">–</span>;
    },
  },
  { name: 'Created', cell: ({ createdAt }) => <RelativeTime at={createdAt} /> },
];

export const REDELIVER = actionsColumn<Delivery>(({ id }) => (
  <ActionButton
    to={`${deliveryPath(id)}/redeliver`}
    label="Redeliver"
    class="slim"
    swap="deliveries toasts"
    fields={{ list: 'yes' }}
  />
));
