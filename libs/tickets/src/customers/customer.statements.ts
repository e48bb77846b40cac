import {
  type AccountConnection,
  type AccountTx,
  accountStatement,
  columns,
  hydrate,
  rowByKeyOrId,
  columnsOf,
  isUuid,
  snakeCase,
  uuidAt,
} from '#libs/database';
import { Customer, Agent, type ProfileFields, existing } from '#libs/entities';
import { loaderOf } from '#libs/lists';
import { formerOwner, parsePersonReference, unknownReference } from '../references.js';
import { indexCustomer } from '../search/search-index.statements.js';

/** By id, or by an address that nobody else has now. */
const FOUND = `select ${columns(Customer, 'c')} from customers c where c.id = coalesce(
    (select id from ${rowByKeyOrId('customers', 'email', ['$2', '$3'])} found), (${formerOwner('$2')}))`;
const READ = accountStatement('customer_read', FOUND);
const LOCK = accountStatement('customer_lock', `${FOUND} for no key update`);

export const readCustomer = (connection: AccountConnection, emailOrId: string): Promise<Customer> =>
  customerIn(connection.row(READ, Object.values(parsePersonReference(emailOrId))));

export const lockCustomer = (tx: AccountTx, emailOrId: string): Promise<Customer> =>
  customerIn(tx.row(LOCK, Object.values(parsePersonReference(emailOrId))));

export const loadCustomers = loaderOf(Customer, 'customer_load', 'customers');

async function customerIn(row: Promise<Record<string, unknown> | undefined>): Promise<Customer> {
  return existing(hydrate(Customer, (await row) ?? {}, 'c'), 'customer');
}

const KEEP_FORMER = accountStatement(
  'customer_keep_former_email',
  `insert into former_emails (account_id, email, customer_id) values ($1, $2, $3)
   on conflict (account_id, email) do update set customer_id = excluded.customer_id`,
);

/** The last customer who had the address owns it, until that customer is deleted. */
export const keepFormerEmail = (tx: AccountTx, email: string, customerId: string): void =>
  tx.send(KEEP_FORMER, [email, customerId]);

const PURGE_DELETED_TICKETS = accountStatement(
  'customer_purge_deleted_tickets',
  `with purged as (
     delete from tickets where account_id = $1 and customer_id = $2 and deleted_at is not null and merged_into_id is null
     returning id
   )
   select id from purged union all select m.id from tickets m join purged on m.merged_into_id = purged.id`,
);

export async function purgeDeletedTickets(tx: AccountTx, customerId: string): Promise<string[]> {
  return (await tx.rows<{ id: string }>(PURGE_DELETED_TICKETS, [customerId])).map(({ id }) => id);
}

/** A customer as the API names it: by email. Absent fields stay unchanged; null clears. */
export type CustomerFields = ProfileFields & { readonly email: string };

const ALL = columnsOf(Customer).map(({ name }) => name);
const PROFILE = columnsOf(Customer, ['id', 'accountId', 'email', 'createdAt', 'updatedAt']).map(({ name }) => name);
const columnsWith = (alias: string, names = PROFILE): string => names.map((column) => `${alias}.${column}`).join(', ');

/**
 * SQL that adds or updates a customer, safe against concurrent inserts. `known` is the placeholder of the whole new row
 * as JSON, `fields` of the given fields. `xmax` is 0 only for a row that this statement inserted.
 */
export const upsertCustomerSql = (known: string, fields: string): string => `
  insert into customers as c (${ALL.join(', ')})
  select ${columnsWith('n', ALL)} from jsonb_populate_record(null::customers, ${known}::jsonb || jsonb_build_object('account_id', $1::uuid)) n
  on conflict (account_id, email) do update set (${PROFILE.join(', ')}, updated_at) = (
    select ${columnsWith('p')},
      case when (${columnsWith('p')}) is distinct from (${columnsWith('c')}) then excluded.updated_at else c.updated_at end
    from jsonb_populate_record(c, ${fields}::jsonb) p)
  returning c.*, c.xmax = 0 as added`;

const ADD_OR_UPDATE = accountStatement(
  'customer_add_or_update',
  `with c as (${upsertCustomerSql('$2', '$3')}) select ${columns(Customer, 'c')}, added from c where account_id = $1`,
);

export function upsertValues(fields: CustomerFields, now: Date): [known: string, fields: string] {
  const given = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
  const row = Object.assign(new Customer(), given, { id: uuidAt(now), createdAt: now, updatedAt: now });
  return [inColumns(row), inColumns(given)];
}

export async function findOrCreateCustomer(tx: AccountTx, fields: CustomerFields, now: Date): Promise<AddedCustomer> {
  const saved = addedCustomer((await tx.row(ADD_OR_UPDATE, upsertValues(fields, now)))!);
  indexCustomer(tx, saved.customer, now);
  return saved;
}

interface AddedCustomer {
  readonly customer: Customer;
  readonly added: boolean;
}

export const addedCustomer = (row: Record<string, unknown>): AddedCustomer => ({
  customer: hydrate(Customer, row, 'c')!,
  added: row['added'] === true,
});

const inColumns = (row: object): string =>
  JSON.stringify(Object.fromEntries(Object.entries(row).map(([name, value]) => [snakeCase(name), value])));

const FIND_AUTHOR = accountStatement(
  'author_find',
  `select ${columns(Agent, 'a')}, ${columns(Customer, 'c')} from accounts
   left join ${rowByKeyOrId('agents', 'email', ['$2', '$3'])} a on true
   left join ${rowByKeyOrId('customers', 'email', ['$2', '$3'])} c on true
   where accounts.id = $1`,
);

interface ResolvedAuthor {
  readonly author: Agent | Customer;
  /** The customer, if this call created it. */
  readonly added: Customer | null;
}

/** If an address belongs to both, the agent wins. */
export async function findAuthor(tx: AccountTx, emailOrId: string): Promise<Agent | Customer | null> {
  const row = (await tx.row(FIND_AUTHOR, Object.values(parsePersonReference(emailOrId)))) ?? {};
  return hydrate(Agent, row, 'a') ?? hydrate(Customer, row, 'c');
}

/** Returns the author that was found, or creates a customer for an unknown email address. */
export async function findOrCreateAuthor(
  tx: AccountTx,
  { found, emailOrId }: { readonly found: Agent | Customer | null; readonly emailOrId: string },
  now: Date,
): Promise<ResolvedAuthor> {
  if (found) return { author: found, added: null };
  if (isUuid(emailOrId)) throw unknownReference('author');
  const { customer, added } = await findOrCreateCustomer(tx, { email: emailOrId.toLowerCase() }, now);
  return { author: customer, added: added ? customer : null };
}
