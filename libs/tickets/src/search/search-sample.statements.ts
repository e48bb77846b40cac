import { type AccountConnection, accountQuery, filter } from '#libs/database';
import { TICKET_ORDERS } from '../lists/ticket-orders.js';
import { Neighbours } from './neighbours.js';
import {
  type Binding,
  type PartWithLookup,
  bindWords,
  byCustomer,
  customerLookup,
  isOfCustomer,
  matchesTicket,
  ticketLookup,
} from './part-conditions.js';
import type { SoughtPart } from './search-query.js';

/** Tickets that are looked up, filtered and sorted. With more, a walk through the newest tickets costs less. */
export const MAX_CANDIDATES = 1_000;
const MAX_CUSTOMERS = 2_000;

/** A part found this often in the newest tickets matches more tickets than can be looked up. */
const NEWEST = 750;
const COMMON_AMONG_NEWEST = 4;

/** In a large account, parts that are expected to match more tickets are not looked up either. */
const MAX_EXPECTED = 2 * MAX_CANDIDATES;

/** Fewer, because customers are compared one by one. */
const NEWEST_OF_CUSTOMERS = 100;
const COMMON_AMONG_CUSTOMERS = 10;

export interface Sampled {
  readonly part: SoughtPart & PartWithLookup;
  /** Null if there are too many. */
  readonly tickets: readonly string[] | null;
  readonly customers: readonly string[] | null;
  /** Counted up to `MAX_CANDIDATES + 1`. */
  readonly ticketsOfCustomers: number;
  /** Share of the newest tickets that match (0 to 1). Parts of unknown customers count as 1. */
  readonly share: number;
}

interface Sample {
  readonly found: readonly Sampled[];
  readonly density: number;
}

interface SampleRow {
  readonly tickets: readonly (string[] | null)[];
  readonly customers: readonly (string[] | null)[];
  readonly ofCustomers: readonly number[];
  readonly hitsOfParts: readonly number[];
  readonly hits: number;
  readonly looked: number;
}

/** PostgreSQL cannot estimate how many tickets a word prefix finds. */
export async function sampleParts(connection: AccountConnection, parts: readonly Sampled['part'][]): Promise<Sample> {
  if (parts.length === 0) return { found: [], density: 1 };
  const values: unknown[] = [];
  const binding = { accountId: connection.accountId, bind: (value: unknown) => `$${values.push(value) + 1}` };
  const text = sampleText(binding, parts);
  const { tickets, customers, ofCustomers, hitsOfParts, hits, looked } = (await connection.row<SampleRow>(
    accountQuery(text),
    values,
  ))!;
  const found = parts.map((part, place) => ({
    part,
    tickets: within(tickets[place]!, MAX_CANDIDATES),
    customers: within(customers[place]!, MAX_CUSTOMERS),
    ticketsOfCustomers: ofCustomers[place]!,
    share: looked === 0 ? 1 : hitsOfParts[place]! / looked,
  }));
  return { found, density: looked === 0 ? 1 : Math.max(hits, 0.5) / looked };
}

export const within = (ids: readonly string[] | null, limit: number): readonly string[] | null =>
  ids !== null && ids.length <= limit ? ids : null;

function sampleText(binding: Binding, parts: readonly PartWithLookup[]): string {
  const neighbours = new Neighbours(binding);
  const inTickets = parts.map((part) => matchesTicket(binding, part, { neighbours, customers: NOBODY })!);
  const customers = parts.map((part, place) => `${customersOf(binding, part)} as c${place}`);
  const tickets = parts.map((part, place) => `${ticketsOf(binding, part, inTickets[place]!)} as t${place}`);
  const hits = parts.map((part, place) => `(${inTickets[place]} or ${isAmongCustomers(part, place)}) as hit${place}`);
  const all = parts.map((_, place) => `hit${place}`).join(' and ');
  const prelude = neighbours.prelude({
    rows: NEWEST,
    order: TICKET_ORDERS['-number'],
    direction: 'desc',
    from: undefined,
  });
  return `${prelude === '' ? 'with' : `${prelude},`} newest as materialized (
      select t.id, t.number, t.customer_id, t.tags from tickets t where t.account_id = $1 and t.deleted_at is null
      order by t.created_at desc, t.number desc limit ${NEWEST}),
    few as materialized (select * from newest limit ${NEWEST_OF_CUSTOMERS}),
    known as materialized (select ${[...customers, ...tickets].join(', ')}),
    hits as materialized (select ${hits.join(', ')} from newest t)
    select jsonb_build_array(${parts.map((_, place) => `to_jsonb(t${place})`).join(', ')}) as tickets,
      jsonb_build_array(${parts.map((_, place) => `to_jsonb(c${place})`).join(', ')}) as customers,
      jsonb_build_array(${parts.map((_, place) => countTicketsOf(place)).join(', ')}) as "ofCustomers",
      (select jsonb_build_array(${parts.map((_, place) => `count(*) filter (where hit${place})`).join(', ')}) from hits) as "hitsOfParts",
      (select count(*)::integer from hits where ${all}) as hits,
      (select count(*)::integer from newest) as looked
    from known`;
}

const NOBODY = `'{}'::uuid[]`;

/**
 * SQL for an array with at most one id too many. Null if many of the newest tickets match, since the lookup would be
 * slow.
 */
function customersOf(binding: Binding, part: PartWithLookup): string {
  if (!isOfCustomer(part)) return NOBODY;
  return `case when (select count(*) from few t where ${byCustomer(binding, part)}) < ${COMMON_AMONG_CUSTOMERS}
    then array(select * from (${customerLookup(binding, part)}) x limit ${MAX_CUSTOMERS + 1}) end`;
}

/** The same for tickets. */
function ticketsOf(binding: Binding, part: PartWithLookup, isIn: string): string {
  const lookup = ticketLookup(binding, part);
  if (lookup === undefined) return NOBODY;
  return `case when (
      select count(*) < ${COMMON_AMONG_NEWEST} and count(*) * (select max(number) from newest) <= ${NEWEST * MAX_EXPECTED}
      from newest t where ${isIn})
    or (select count(*) from newest) < ${NEWEST}
    then array(select * from (${lookup}) x limit ${MAX_CANDIDATES + 1}) end`;
}

/** An unknown set of customers counts as a match, so that the first walk is shorter. */
const isAmongCustomers = (part: PartWithLookup, place: number): string =>
  isOfCustomer(part)
    ? `(select c${place} is null from known) or (t.customer_id in (select unnest(c${place}) from known)) is true`
    : 'false';

/** Tickets of a customer belong to the same account, so the index alone counts them. */
const countTicketsOf = (place: number): string => `case when cardinality(t${place}) <= ${MAX_CANDIDATES} then (
    select count(*) from (
      select from unnest(c${place}) k(id) cross join lateral (
        select from tickets x where x.customer_id = k.id limit ${MAX_CANDIDATES + 1}) x
      limit ${MAX_CANDIDATES + 1}) counted) else 0 end`;

interface CustomersWithAll {
  readonly customers: readonly string[];
  /** Counted up to `MAX_CANDIDATES + 1`. */
  readonly tickets: number;
}

/** Undefined if there are too many. */
export async function findCustomersWithAll(
  connection: AccountConnection,
  parts: readonly Sampled[],
): Promise<CustomersWithAll | undefined> {
  const known = parts.flatMap(({ customers }) => (customers ? [customers] : []));
  if (known.some(({ length }) => length === 0)) return { customers: [], tickets: 0 };
  const values: unknown[] = [];
  const binding = { accountId: connection.accountId, bind: (value: unknown) => `$${values.push(value) + 1}` };
  const source =
    known.length === parts.length
      ? `${binding.bind(known.reduce(intersection))}::uuid[]`
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

export function intersection(some: readonly string[], others: readonly string[]): string[] {
  const known = new Set(others);
  return some.filter((id) => known.has(id));
}
