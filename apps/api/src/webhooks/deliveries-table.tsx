import type { Delivery } from '#libs/entities';
import { ActionButton } from '../ui/parts/form.js';
import { EmptyState } from '../ui/parts/indicators.js';
import { type Column, Table } from '../ui/parts/table.js';
import { RelativeTime } from '../ui/parts/relative-time.js';
import { deliveryPath } from '../shell/webhook-paths.js';
import { DeliveryLink, NextTry, SubjectLink, type WebhookPace, nextAttemptOf } from './delivery-parts.js';
import { lastResultLabel, lastResultText } from './webhook-text.js';
import type { DeliverySubjects } from './webhooks.statements.js';

interface DeliveriesTableProps {
  readonly deliveries: readonly Delivery[];
  readonly subjects: DeliverySubjects;
  readonly attemptsAllowed: number;
  readonly webhook: WebhookPace;
}

export function DeliveriesTable(props: DeliveriesTableProps) {
  const { deliveries, webhook } = props;
  const isEnabled = webhook.state !== 'disabled';
  if (deliveries.length === 0)
    return (
      <div id="deliveries" data-live>
        <EmptyState title="No deliveries here">
          <p>
            {isEnabled ? 'Send a test event, or wait for the next real one.' : 'A disabled webhook receives nothing.'}
          </p>
        </EmptyState>
      </div>
    );
  const columns = isEnabled ? [...columnsFor(props), REDELIVER] : columnsFor(props);
  return <Table caption="Deliveries" columns={columns} rows={deliveries} id="deliveries" live />;
}

const columnsFor = ({ subjects, attemptsAllowed, webhook }: DeliveriesTableProps): Column<Delivery>[] => [
  { name: 'State', cell: (delivery) => <DeliveryLink delivery={delivery} /> },
  { name: 'About', class: 'nowrap-text', cell: ({ eventId }) => <SubjectLink subject={subjects.get(eventId)} /> },
  { name: 'Result', class: 'mono', cell: lastResultLabel },
  { name: 'Why', class: 'small why', cell: lastResultText },
  {
    name: 'Attempt',
    class: 'number',
    cell: ({ attempts }) => `${attempts} of ${Math.max(attempts, attemptsAllowed)}`,
  },
  {
    name: 'Next try',
    cell: (delivery) => {
      const planned = nextAttemptOf(delivery);
      return planned ? <NextTry planned={planned} webhook={webhook} /> : <span class="quiet">–</span>;
    },
  },
  { name: 'Created', cell: ({ createdAt }) => <RelativeTime at={createdAt} /> },
];

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
