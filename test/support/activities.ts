import type { Desk } from './desk.js';

export interface TicketActivity {
  readonly kind: string;
  readonly detail: object;
}

/** The history of a ticket, in order. */
export async function activitiesOf(desk: Desk, ticket: number): Promise<TicketActivity[]> {
  const { rows } = await desk.sql.query<TicketActivity>(
    'select a.kind, a.detail from activities a join tickets t on t.id = a.ticket_id where t.number = $1 order by a.id',
    [ticket],
  );
  return rows;
}
