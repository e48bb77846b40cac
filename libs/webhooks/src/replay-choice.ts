import type { DeliveryState, ReplayChoice } from '#libs/entities';

/** Of what is pending, a replay takes only what was tried: the rest is on its way. */
const STATES: Readonly<Record<ReplayChoice, readonly DeliveryState[]>> = {
  failed: ['exhausted', 'cancelled'],
  retrying: ['pending'],
  undelivered: ['exhausted', 'cancelled', 'pending'],
  all: ['exhausted', 'cancelled', 'delivered'],
};

export const statesToReplay = (choice: ReplayChoice): readonly DeliveryState[] => STATES[choice];

/** Whether a replay takes a row of deliveries. `states` and `answer` are the places of the two values. */
export const replayedSql = (row: string, { states, answer }: { states: string; answer: string }): string =>
  `(${row}.state = any(${states}::text[]) and (${row}.state <> 'pending' or ${row}.attempts > 0) and (${answer}::text is null
     or case when ${row}.last_error is not null or ${row}.last_status is null then 'none'
          else ${row}.last_status / 100 || 'xx' end = ${answer}::text))`;
