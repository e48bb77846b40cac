import {
  type AccountConnection,
  type AccountTx,
  accountStatement,
  columns,
  columnsOf,
  hydrate,
  rowByKeyOrId,
  snakeCase,
  uuidAt,
} from '#libs/database';
import { Customer, type CustomerProfile, NotFound } from '#libs/entities';
import { loadInOrder } from '#libs/lists';
import { parsePersonReference } from '../references.js';
import { indexCustomer } from '../search/word-index.js';

/** A customer as the API names it: by e-mail. Absent fields stay unchanged; null clears. */
export type CustomerFields = ProfileFields & { readonly email: string };

export type ProfileFields = { readonly [K in keyof CustomerProfile]?: CustomerProfile[K] | undefined };

const ALL = columnsOf(Customer).map(({ name }) => name);
const PROFILE = columnsOf(Customer, ['id', 'accountId', 'email', 'createdAt', 'updatedAt']).map(({ name }) => name);
const given = (alias: string, names = PROFILE): string => names.map((column) => `${alias}.${column}`).join(', ');

/**
 * SQL that adds or updates a customer, safe against concurrent inserts. `known` is the placeholder of the whole new row
 * as JSON, `fields` of the given fields. `xmax` is 0 only for a row that this statement inserted.
 */
export const upsertCustomer = (known: string, fields: string): string => `
  insert into customers as c (${ALL.join(', ')})
  select ${given('n', ALL)} from jsonb_populate_record(null::customers, ${known}::jsonb || jsonb_build_object('account_id', $1::uuid)) n
  on conflict (account_id, email) do update set (${PROFILE.join(', ')}, updated_at) = (
    select ${given('p')},
      case when (${given('p')}) is distinct from (${given('c')}) then excluded.updated_at else c.updated_at end
    from jsonb_populate_record(c, ${fields}::jsonb) p)
  returning c.*, c.xmax = 0 as added`;

const ADD_OR_UPDATE = accountStatement(
  'customer_add_or_update',
  `with c as (${upsertCustomer('$2', '$3')}) select ${columns(Customer, 'c')}, added from c where account_id = $1`,
);

const NEW: Omit<CustomerProfile, 'email'> = {
  firstName: '',
  lastName: '',
  about: null,
  twitterUsername: null,
  title: null,
  companyName: null,
  phoneNumber: null,
  location: null,
  websiteUrl: null,
  linkedinUsername: null,
  custom: {},
};

/** Values for `upsertCustomer`. */
export function upsertValues(fields: CustomerFields, now: Date): [known: string, fields: string] {
  const said = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
  const row = { ...NEW, ...said, id: uuidAt(now), createdAt: now, updatedAt: now };
  return [inColumns(row), inColumns(said)];
}

export async function addCustomer(tx: AccountTx, fields: CustomerFields, now: Date): Promise<AddedCustomer> {
  const saved = addedCustomer((await tx.row(ADD_OR_UPDATE, upsertValues(fields, now)))!);
  indexCustomer(tx, saved.customer, now);
  return saved;
}

export interface AddedCustomer {
  readonly customer: Customer;
  readonly added: boolean;
}

export const addedCustomer = (row: Record<string, unknown>): AddedCustomer => ({
  customer: hydrate(Customer, row, 'c')!,
  added: row['added'] === true,
});

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

export const readCustomer = (connection: AccountConnection, who: string): Promise<Customer> =>
  found(connection.row(READ, Object.values(parsePersonReference(who))));

export const lockCustomer = (tx: AccountTx, who: string): Promise<Customer> =>
  found(tx.row(LOCK, Object.values(parsePersonReference(who))));

export const loadCustomers = (connection: AccountConnection, ids: readonly string[]): Promise<Customer[]> =>
  loadInOrder(connection, LOAD, ids, (row) => hydrate(Customer, row, 'c'));

async function found(row: Promise<Record<string, unknown> | undefined>): Promise<Customer> {
  const customer = hydrate(Customer, (await row) ?? {}, 'c');
  if (!customer) throw new NotFound('customer');
  return customer;
}

const inColumns = (row: object): string =>
  JSON.stringify(Object.fromEntries(Object.entries(row).map(([name, value]) => [snakeCase(name), value])));
