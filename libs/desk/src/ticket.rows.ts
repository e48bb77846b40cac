import { type AccountConnection, type AccountTx, accountStatement, columns, hydrate } from '#libs/database';
import { Agent, Customer, Group, Mailbox, NotFound, Ticket } from '#libs/entities';

const SELECT = `
  select ${columns(Ticket, 't')}, ${columns(Customer, 'c')}, ${columns(Mailbox, 'm')}, ${columns(Agent, 'a')},
    ${columns(Group, 'g')}, ${columns(Agent, 'b')}
  from tickets t
  join customers c on c.id = t.customer_id
  join mailboxes m on m.id = t.mailbox_id
  left join agents a on a.id = t.assignee_id
  left join groups g on g.id = t.assigned_group_id
  left join agents b on b.id = t.closed_by_id
  where t.account_id = $1 and t.number = $2 and t.deleted_at is null`;

const READ = accountStatement('ticket_read', SELECT);
const LOCK = accountStatement('ticket_lock', `${SELECT} for update of t`);

/** One round trip: the ticket with whom and what it points at. */
export async function readTicket(connection: AccountConnection, number: number): Promise<Ticket> {
  return assemble(await connection.row(READ, [number]));
}

/** The same, and nobody else changes it until this transaction ends. */
export async function lockTicket(tx: AccountTx, number: number): Promise<Ticket> {
  return assemble(await tx.row(LOCK, [number]));
}

function assemble(row: Record<string, unknown> | undefined): Ticket {
  const ticket = row && hydrate(Ticket, row, 't');
  if (!ticket) throw new NotFound('ticket');
  return Object.assign(ticket, {
    customer: hydrate(Customer, row, 'c'),
    mailbox: hydrate(Mailbox, row, 'm'),
    assignee: hydrate(Agent, row, 'a'),
    assignedGroup: hydrate(Group, row, 'g'),
    closedBy: hydrate(Agent, row, 'b'),
  });
}
