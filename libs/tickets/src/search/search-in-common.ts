import { type AccountConnection, accountQuery, filter } from '#libs/database';
import { bindWords, isOfCustomer } from './search-lookups.js';
import { MAX_CANDIDATES, MAX_CUSTOMERS, type Sampled, within } from './search-sample.js';

interface CustomersInCommon {
  readonly customers: readonly string[];
  /** Counted up to `MAX_CANDIDATES + 1`. */
  readonly tickets: number;
}

/** Finds the customers who match all parts. Undefined if there are too many. */
export async function customersInCommon(
  connection: AccountConnection,
  parts: readonly Sampled[],
): Promise<CustomersInCommon | undefined> {
  const known = parts.flatMap(({ customers }) => (customers ? [customers] : []));
  if (known.some(({ length }) => length === 0)) return { customers: [], tickets: 0 };
  const values: unknown[] = [];
  const binding = { accountId: connection.accountId, bind: (value: unknown) => `$${values.push(value) + 1}` };
  const source =
    known.length === parts.length
      ? `${binding.bind(known.reduce(shared))}::uuid[]`
      : `array(select customers_with_words($1, ${parts
          .flatMap(({ part }) => (isOfCustomer(part) ? [bindWords(binding, part)] : []))
          .join(' && ')}) limit ${MAX_CUSTOMERS + 1})`;
  // Tickets of a customer belong to the same account, so the index alone counts them.
  const query = accountQuery(
    `with shared as materialized (select ${source} as customers)
     select customers, (select count(*)::integer from (
       select from unnest(customers) k(id)
         cross join lateral (select from customers c where c.id = k.id and ${filter('c.account_id = $1')}) c
         cross join lateral (select from tickets t where t.customer_id = k.id limit ${MAX_CANDIDATES + 1}) x
       limit ${MAX_CANDIDATES + 1}) counted) as tickets from shared`,
  );
  const found = (await connection.row<{ customers: string[]; tickets: number }>(query, values))!;
  return within(found.customers, MAX_CUSTOMERS) ? found : undefined;
}

export function shared(some: readonly string[], others: readonly string[]): string[] {
  const known = new Set(others);
  return some.filter((id) => known.has(id));
}
