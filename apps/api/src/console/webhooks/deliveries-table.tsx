import type { Delivery, DeliveryState } from '#libs/entities';
import { ActionButton } from '../../pages/parts/form.js';
import { EmptyState, Pill, type Tone } from '../../pages/parts/indicators.js';
import { Table } from '../../pages/parts/table.js';
import { RelativeTime } from '../../pages/parts/relative-time.js';
import { lastResultLabel, lastResultText } from './webhook-text.js';
import { deliveryPath } from './webhook-paths.js';

const TONES: Readonly<Record<DeliveryState, Tone>> = {
  pending: 'accent',
  delivered: 'good',
  exhausted: 'bad',
  cancelled: 'quiet',
};

export function DeliveryStatePill({ state }: { state: DeliveryState }) {
  return <Pill tone={TONES[state]}>{state}</Pill>;
}

interface DeliveriesTableProps {
  readonly deliveries: readonly Delivery[];
  readonly attemptsAllowed: number;
  /** False for a disabled webhook, which takes no deliveries. */
  readonly accepts: boolean;
}

export function DeliveriesTable({ deliveries, attemptsAllowed, accepts }: DeliveriesTableProps) {
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
  return (
    <Table
      caption="Deliveries"
      columns={['State', 'Result', 'Why', 'Attempt', 'Next try', 'Created', ...(accepts ? ['(Actions)'] : [])]}
      id="deliveries"
      live
    >
      {deliveries.map((delivery) => (
        <DeliveryLine delivery={delivery} attemptsAllowed={attemptsAllowed} accepts={accepts} key={delivery.id} />
      ))}
    </Table>
  );
}

interface DeliveryLineProps extends Omit<DeliveriesTableProps, 'deliveries'> {
  readonly delivery: Delivery;
}

function DeliveryLine({ delivery, attemptsAllowed, accepts }: DeliveryLineProps) {
  const { id, state, attempts, nextAttemptAt } = delivery;
  return (
    <tr>
      <td>
        <a href={deliveryPath(id)} aria-label={`Delivery ${id}, ${state}`}>
          <DeliveryStatePill state={state} />
        </a>
      </td>
      <td class="mono">{lastResultLabel(delivery)}</td>
      <td class="small why">{lastResultText(delivery)}</td>
      <td class="number">{`${attempts} of ${Math.max(attempts, attemptsAllowed)}`}</td>
      <td>
        {state === 'pending' && nextAttemptAt ? <RelativeTime at={nextAttemptAt} /> : <span class="quiet">–</span>}
      </td>
      <td>
        <RelativeTime at={delivery.createdAt} />
      </td>
      {accepts && (
        <td class="end">
          <ActionButton
            to={`${deliveryPath(id)}/redeliver`}
            label="Redeliver"
            class="slim"
            swap="deliveries toasts"
            fields={{ list: 'yes' }}
          />
        </td>
      )}
    </tr>
  );
}
