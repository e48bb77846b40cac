import type { DeliveryState, ReplayChoice } from '#libs/entities';

/** Pending deliveries without an attempt are on their way. */
const STATES: Readonly<Record<ReplayChoice, readonly DeliveryState[]>> = {
  failed: ['exhausted', 'cancelled'],
  retrying: ['pending'],
  undelivered: ['exhausted', 'cancelled', 'pending'],
  all: ['exhausted', 'cancelled', 'delivered'],
};

export const statesToReplay = (choice: ReplayChoice): readonly DeliveryState[] => STATES[choice];

/** Leaves out test events. Their lookup comes last, because it reads another table. */
export const replayedSql = (row: string, { states, lastResponse }: { states: string; lastResponse: string }): string =>
  `(${row}.state = any(${states}::text[]) and (${row}.state <> 'pending' or ${row}.attempts > 0) and (${lastResponse}::text is null
     or case when ${row}.last_error is not null or ${row}.last_status is null then 'none'
          else ${row}.last_status / 100 || 'xx' end = ${lastResponse}::text)
     and not coalesce((select e.test from events e where e.id = ${row}.event_id), false))`;
