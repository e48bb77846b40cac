import { type AccountConnection, accountQuery, filter } from '#libs/database';
import { TICKET_ORDERS } from '../lists/ticket-orders.js';
import { nearbyWords } from './nearby-words.js';
import {
  type Binding,
  type PartWithLookup,
  byCustomer,
  customerQuery,
  hasLookup,
  hasTag,
  isOfCustomer,
  ticketLookup,
  ticketQuery,
} from './part-conditions.js';
import type { SoughtPart } from './search-query.js';

/** Tickets that are looked up, filtered and sorted. With more, a walk through the newest tickets costs less. */
const MAX_CANDIDATES = 1_000;
const MAX_CUSTOMERS = 2_000;

/** A part is looked up if the newest tickets let expect at most `MAX_EXPECTED` matches. */
const NEWEST = 750;
const MAX_EXPECTED = 2 * MAX_CANDIDATES;

/** Fewer, because customers are compared one by one. */
const NEWEST_OF_CUSTOMERS = 100;
const COMMON_AMONG_CUSTOMERS = 10;

export interface SearchPlan {
  readonly parts: readonly PlannedPart[];
  /** All tickets that may match. Null if there are too many: then the newest tickets are walked. */
  readonly candidates: readonly string[] | null;
  /** Expected share of the newest tickets that match (0 to 1). */
  readonly density: number;
}

export interface PlannedPart extends Partial<Known> {
  readonly part: SoughtPart;
  /** Whether all candidates match. */
  readonly isProven?: boolean;
}

interface Known {
  /** All matches but those of customers. Null if there are too many. */
  readonly tickets: readonly string[] | null;
  readonly customers: readonly string[] | null;
  /** Share of the newest tickets that match (0 to 1). Parts of unknown customers count as 1. */
  readonly share: number;
}

interface Sampled extends Known {
  readonly part: SoughtPart & PartWithLookup;
  readonly matches: readonly string[] | null;
}

/** Round trips: 1; 0 without words; 2 to find customers that match several parts. */
export async function planSearch(connection: AccountConnection, parts: readonly SoughtPart[]): Promise<SearchPlan> {
  const open = parts.filter((part): part is Sampled['part'] => !part.excluded && hasLookup(part));
  const sampled = await sampleParts(connection, open);
  const proven = sampled.filter(({ matches }) => matches);
  const candidates =
    proven.length > 0
      ? proven.map(({ matches }) => matches!).reduce(intersection)
      : await findMatchesInCommon(connection, sampled);
  const planned = parts.map((part) => {
    const found = sampled.find((one) => one.part === part);
    return { ...found, part, isProven: Boolean(found?.matches) };
  });
  return { parts: planned, candidates, density: sampled.reduce((share, one) => share * one.share, 1) };
}

interface SampleRow {
  readonly tickets: readonly string[] | null;
  readonly customers: readonly string[] | null;
  readonly ofCustomers: readonly string[] | null;
  readonly hits: number;
  readonly looked: number;
}

/** PostgreSQL cannot estimate how many tickets a word prefix finds. */
async function sampleParts(connection: AccountConnection, parts: readonly Sampled['part'][]): Promise<Sampled[]> {
  if (parts.length === 0) return [];
  const values: unknown[] = [];
  const binding = { accountId: connection.accountId, bind: (value: unknown) => `$${values.push(value) + 1}` };
  const walk = { rows: NEWEST, order: TICKET_ORDERS['-number'], direction: 'desc', from: undefined } as const;
  const samples = parts.map((part, place) => `(${sampleOf(binding, part, place)})`);
  const rows = await connection.rows<SampleRow>(
    accountQuery(
      `${nearbyWords(walk, 'w.ticket_id, w.words')},
        newest as materialized (select t.number, t.customer_id, t.tags from tickets t
          where t.account_id = $1 and t.deleted_at is null order by t.created_at desc, t.number desc limit ${NEWEST}),
        newest_size as materialized (select count(*)::integer as looked, max(number) as last from newest)
      ${samples.join(' union all ')} order by place`,
    ),
    values,
  );
  return rows.map(({ hits, looked, ...row }, place) => {
    const [tickets, customers] = [within(row.tickets, MAX_CANDIDATES), within(row.customers, MAX_CUSTOMERS)];
    const matches = tickets && customers && row.ofCustomers && [...new Set([...tickets, ...row.ofCustomers])];
    const share = looked === 0 || customers === null ? 1 : Math.min(1, Math.max(hits, 0.5) / looked);
    return { part: parts[place]!, tickets, customers, matches: within(matches, MAX_CANDIDATES), share };
  });
}

const within = (ids: readonly string[] | null, limit: number): readonly string[] | null =>
  ids !== null && ids.length <= limit ? ids : null;

/** Arrays have at most one id too many, and are null if many of the newest tickets match: a lookup would be slow. */
function sampleOf(binding: Binding, part: PartWithLookup, place: number): string {
  const lookup = ticketLookup(binding, part);
  return `select ${place} as place, t.ids as tickets, c.ids as customers, k.ids as "ofCustomers", looked,
      (h.hits + (select count(*) from newest where customer_id in (select unnest(c.ids))))::integer as hits
    from newest_size,
      lateral (select ${hitsOf(binding, part)} as hits offset 0) h,
      lateral (select ${isOfCustomer(part) ? customersOf(binding, part) : NOBODY} as ids offset 0) c,
      lateral (select ${
        lookup === undefined
          ? NOBODY
          : `case when looked < ${NEWEST} or hits * last <= ${NEWEST * MAX_EXPECTED}
        then array(select * from (${lookup}) x limit ${MAX_CANDIDATES + 1}) end`
      } as ids offset 0) t,
      lateral (select case when cardinality(t.ids) <= ${MAX_CANDIDATES} then ${TICKETS_OF_CUSTOMERS} end as ids offset 0) k`;
}

const NOBODY = `'{}'::uuid[]`;

function hitsOf(binding: Binding, part: PartWithLookup): string {
  if (part.kind === 'customer') return '0';
  if (part.kind === 'tag') return `(select count(*) from newest t where ${hasTag(binding, part.name)})`;
  return `(select count(distinct ticket_id) from near where words @@ ${ticketQuery(binding, part)})`;
}

function customersOf(binding: Binding, part: Extract<PartWithLookup, { words: unknown }>): string {
  const query = customerQuery(binding, part);
  return `case when (select count(*) from (select * from newest limit ${NEWEST_OF_CUSTOMERS}) t where ${byCustomer(query)})
      < ${COMMON_AMONG_CUSTOMERS}
    then ${customersWith(query)} end`;
}

const customersWith = (query: string): string =>
  `array(select customers_with_words($1, ${query}) limit ${MAX_CUSTOMERS + 1})`;

const TICKETS_OF_CUSTOMERS = `case when cardinality(c.ids) <= ${MAX_CUSTOMERS} then array(
  select x.id from unnest(c.ids) k(id) cross join lateral (
    select x.id from tickets x where x.customer_id = k.id and ${filter('x.account_id = $1')} limit ${MAX_CANDIDATES + 1}) x
  limit ${MAX_CANDIDATES + 1}) end`;

/**
 * A matching ticket has a customer who matches all parts, or words of at least one part. So a frequent first name and a
 * frequent last name can still be few tickets. Null if they are many.
 */
async function findMatchesInCommon(
  connection: AccountConnection,
  sampled: readonly Sampled[],
): Promise<readonly string[] | null> {
  const known = sampled.filter(({ tickets }) => tickets);
  const tickets = [...new Set(known.flatMap((one) => one.tickets!))];
  if (known.length < 2 || tickets.length > MAX_CANDIDATES) return null;
  const values: unknown[] = [];
  const binding = { accountId: connection.accountId, bind: (value: unknown) => `$${values.push(value) + 1}` };
  const queries = known.flatMap(({ part }) => (isOfCustomer(part) ? [customerQuery(binding, part)] : []));
  const found = await connection.row<{ ids: string[] | null }>(
    accountQuery(
      `select ${TICKETS_OF_CUSTOMERS} as ids from (select ${customersWith(queries.join(' && '))} as ids offset 0) c`,
    ),
    values,
  );
  return found?.ids ? within([...tickets, ...found.ids], MAX_CANDIDATES) : null;
}

function intersection(some: readonly string[], others: readonly string[]): string[] {
  const known = new Set(others);
  return some.filter((id) => known.has(id));
}
