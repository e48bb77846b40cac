import {
  type AccountConnection,
  type AccountTx,
  accountStatement,
  columns,
  hydrate,
  rowByKeyOrId,
} from '#libs/database';
import { Customer, NotFound } from '#libs/entities';
import { loadInOrder } from '#libs/lists';
import { parsePersonReference } from '../references.js';

const FOUND = rowByKeyOrId('customers', 'email', ['$2', '$3']);
const READ = accountStatement('customer_read', `select ${columns(Customer, 'c')} from ${FOUND} c`);
const LOCK = accountStatement(
  'customer_lock',
  `select ${columns(Customer, 'c')} from customers c where c.id = (select id from ${FOUND} found) for no key update`,
);
const LOAD = accountStatement(
  'customer_load',
  `select ${columns(Customer, 'c')} from customers c where c.account_id = $1 and c.id = any($2)`,
);

export const readCustomer = (connection: AccountConnection, emailOrId: string): Promise<Customer> =>
  found(connection.row(READ, Object.values(parsePersonReference(emailOrId))));

export const lockCustomer = (tx: AccountTx, emailOrId: string): Promise<Customer> =>
  found(tx.row(LOCK, Object.values(parsePersonReference(emailOrId))));

export const loadCustomers = (connection: AccountConnection, ids: readonly string[]): Promise<Customer[]> =>
  loadInOrder(connection, LOAD, ids, (row) => hydrate(Customer, row, 'c'));

async function found(row: Promise<Record<string, unknown> | undefined>): Promise<Customer> {
  const customer = hydrate(Customer, (await row) ?? {}, 'c');
  if (!customer) throw new NotFound('customer');
  return customer;
}

const PURGE_DELETED_TICKETS = accountStatement(
  'customer_remove_deleted_tickets',
  'delete from tickets where account_id = $1 and customer_id = $2 and deleted_at is not null returning id',
);

export async function purgeDeletedTickets(tx: AccountTx, customerId: string): Promise<string[]> {
  return (await tx.rows<{ id: string }>(PURGE_DELETED_TICKETS, [customerId])).map(({ id }) => id);
}

const IS_REFERENCED = accountStatement(
  'customer_has_traces',
  `select exists (select 1 from tickets where account_id = $1 and customer_id = $2)
     or exists (select 1 from messages where account_id = $1 and author_customer_id = $2) as referenced`,
);

export async function isReferenced(tx: AccountTx, customerId: string): Promise<boolean> {
  return (await tx.row<{ referenced: boolean }>(IS_REFERENCED, [customerId]))!.referenced;
}
