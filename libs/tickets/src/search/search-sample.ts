import { type AccountConnection, accountQuery } from '#libs/database';
import { TICKET_ORDERS } from '../lists/ticket-orders.js';
import { standsIn } from './search-asked.js';
import {
  type Binding,
  type PartWithLookup,
  byCustomer,
  customerLookup,
  isOfCustomer,
  ticketLookup,
} from './search-lookups.js';
import { Neighbours } from './search-neighbours.js';
import type { SoughtPart } from './search-part.js';

/**
 * As many tickets are looked up, asked for the rest, and sorted. Where more are found, walking through the newest until a
 * page is full costs less.
 */
export const MAX_CANDIDATES = 1_000;
export const MAX_CUSTOMERS = 2_000;

/** What stands in so many of the newest tickets is found in more than can be looked up, unless the account is small. */
const NEWEST = 750;
const COMMON_AMONG_NEWEST = 4;

/** Nor is what stands in fewer of them looked up in an account so large that it must be found in about so many tickets. */
const MAX_EXPECTED = 2 * MAX_CANDIDATES;

/** Customers are asked one by one, so fewer of them. */
const NEWEST_OF_CUSTOMERS = 100;
const COMMON_AMONG_CUSTOMERS = 10;

/** What a part finds in the whole account. */
export interface Sampled {
  readonly part: SoughtPart & PartWithLookup;
  /** Null where they are too many. */
  readonly tickets: readonly string[] | null;
  readonly customers: readonly string[] | null;
  /** As many as matter. */
  readonly ticketsOfCustomers: number;
  /** Of the newest tickets, in so large a part it is true. All, where many customers have it. */
  readonly share: number;
}

interface Sample {
  readonly found: readonly Sampled[];
  /** The part of the newest tickets of which everything is true. */
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

/** One round trip; none for nothing. PostgreSQL cannot estimate how many tickets the beginning of a word finds. */
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

export const within = (ids: readonly string[] | null, most: number): readonly string[] | null =>
  ids !== null && ids.length <= most ? ids : null;

function sampleText(binding: Binding, parts: readonly PartWithLookup[]): string {
  const neighbours = new Neighbours(binding);
  const inTickets = parts.map((part) => standsIn(binding, part, { neighbours, customers: NOBODY })!);
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

/** Neither customers nor tickets. */
const NOBODY = `'{}'::uuid[]`;

/** An array with one more than may be known; null for those that many have, or it would take long in a large desk. */
function customersOf(binding: Binding, part: PartWithLookup): string {
  if (!isOfCustomer(part)) return NOBODY;
  return `case when (select count(*) from few t where ${byCustomer(binding, part)}) < ${COMMON_AMONG_CUSTOMERS}
    then array(select * from (${customerLookup(binding, part)}) x limit ${MAX_CUSTOMERS + 1}) end`;
}

/** The same of tickets, which are looked up only where the newest leave hope. */
function ticketsOf(binding: Binding, part: PartWithLookup, isIn: string): string {
  const lookup = ticketLookup(binding, part);
  if (lookup === undefined) return NOBODY;
  return `case when (
      select count(*) < ${COMMON_AMONG_NEWEST} and count(*) * (select max(number) from newest) <= ${NEWEST * MAX_EXPECTED}
      from newest t where ${isIn})
    or (select count(*) from newest) < ${NEWEST}
    then array(select * from (${lookup}) x limit ${MAX_CANDIDATES + 1}) end`;
}

/** Where the customers are not known, as if it were any: then fewer tickets are looked through at first. */
const isAmongCustomers = (part: PartWithLookup, place: number): string =>
  isOfCustomer(part)
    ? `(select c${place} is null from known) or (t.customer_id in (select unnest(c${place}) from known)) is true`
    : 'false';

/** Only where it can still be few. The customers are of the account, so their tickets are: the index says how many. */
const countTicketsOf = (place: number): string => `case when cardinality(t${place}) <= ${MAX_CANDIDATES} then (
    select count(*) from (
      select from unnest(c${place}) k(id) cross join lateral (
        select from tickets x where x.customer_id = k.id limit ${MAX_CANDIDATES + 1}) x
      limit ${MAX_CANDIDATES + 1}) counted) else 0 end`;
