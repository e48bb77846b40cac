import { type Delivery, standingOf } from '#libs/entities';
import { ActionButton } from '../ui/parts/form.js';
import { EmptyState, STANDING_WORDS, StandingPill } from '../ui/parts/indicators.js';
import { type Column, Table } from '../ui/parts/table.js';
import { RelativeTime } from '../ui/parts/relative-time.js';
import type { DeliverySubjects } from './delivery-subjects.reader.js';
import { type HeldWebhook, NextTry, nextAttemptOf } from './next-try.js';
import { SubjectLink } from './subject-link.js';
import { lastResultLabel, lastResultText } from './webhook-text.js';
import { deliveryPath } from '../shell/webhook-paths.js';

export function DeliveryLink({ delivery }: { delivery: Pick<Delivery, 'id' | 'state' | 'attempts' | 'lastStatus'> }) {
  const { id } = delivery;
  return (
    <a href={deliveryPath(id)} aria-label={`Delivery ${id}, ${STANDING_WORDS[standingOf(delivery)]}`}>
      <StandingPill delivery={delivery} />
    </a>
  );
}

interface DeliveriesTableProps {
  readonly deliveries: readonly Delivery[];
  readonly subjects: DeliverySubjects;
  readonly attemptsAllowed: number;
  readonly webhook: HeldWebhook;
}

export function DeliveriesTable({ deliveries, subjects, attemptsAllowed, webhook }: DeliveriesTableProps) {
  const accepts = webhook.state !== 'disabled';
  if (deliveries.length === 0)
    return (
      <div id="deliveries" data-live>
        <EmptyState title="No deliveries here">
          <p>
            {accepts
              ? 'Send a test event, or wait for the next real one.'
              : 'It receives nothing while it is disabled.'}
          </p>
        </EmptyState>
      </div>
    );
  const columns = [
    ...columnsFor(subjects, attemptsAllowed),
    nextTryOf(webhook),
    { name: 'Created', cell: ({ createdAt }: Delivery) => <RelativeTime at={createdAt} /> },
    ...(accepts ? [REDELIVER] : []),
  ];
  return <Table caption="Deliveries" columns={columns} rows={deliveries} id="deliveries" live />;
}

const columnsFor = (subjects: DeliverySubjects, attemptsAllowed: number): Column<Delivery>[] => [
  { name: 'State', cell: (delivery) => <DeliveryLink delivery={delivery} /> },
  { name: 'About', class: 'nowrap-text', cell: ({ eventId }) => <SubjectLink subject={subjects.get(eventId)} /> },
  { name: 'Result', class: 'mono', cell: lastResultLabel },
  { name: 'Why', class: 'small why', cell: lastResultText },
  {
    name: 'Attempt',
    class: 'number',
    cell: ({ attempts }) => `${attempts} of ${Math.max(attempts, attemptsAllowed)}`,
  },
];

const nextTryOf = (webhook: HeldWebhook): Column<Delivery> => ({
  name: 'Next try',
  cell: (delivery) => {
    const planned = nextAttemptOf(delivery);
    return planned ? <NextTry planned={planned} webhook={webhook} /> : <span class="quiet">–</span>;
  },
});

const REDELIVER: Column<Delivery> = {
  name: '(Actions)',
  class: 'end',
  cell: ({ id }) => (
    <ActionButton
      to={`${deliveryPath(id)}/redeliver`}
      label="Redeliver"
      class="slim"
      swap="deliveries toasts"
      fields={{ list: 'yes' }}
    />
  ),
};
