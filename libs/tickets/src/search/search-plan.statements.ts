import { type AccountConnection, accountQuery } from '#libs/database';
import {
  type Binding,
  type PartWithLookup,
  type Sample,
  type SearchPlan,
  bindingOf,
  byCustomer,
  customerQuery,
  hasLookup,
  hasTag,
  isOfCustomer,
  nearbyWords,
  ticketLookup,
  ticketQuery,
} from './search-conditions.js';
import type { SoughtPart } from './search-query.js';

/** Tickets that are looked up, filtered and sorted. With more, a walk through the newest tickets costs less. */
const MAX_CANDIDATES = 1_000;
const MAX_CUSTOMERS = 2_000;

/** A part is looked up if the newest tickets let expect at most `MAX_EXPECTED` matches. */
const NEWEST = 750;
const MAX_EXPECTED = 2 * MAX_CANDIDATES;

/** Low, because customers are compared one by one. */
const NEWEST_OF_CUSTOMERS = 100;
const COMMON_AMONG_CUSTOMERS = 10;

interface SampledPart extends Sample {
  readonly part: SoughtPart & PartWithLookup;
}

/** Round trips: 1; 0 without words; 2 to find customers that match several parts. */
export async function planSearch(connection: AccountConnection, parts: readonly SoughtPart[]): Promise<SearchPlan> {
  const open = parts.filter((part): part is SampledPart['part'] => !part.excluded && hasLookup(part));
  const sampled = await sampleParts(connection, open);
  const matches = sampled.flatMap((one) => (one.matches ? [one.matches] : []));
  return {
    parts: parts.map((part) => sampled.find((one) => one.part === part) ?? { part }),
    candidates: matches.length > 0 ? matches.reduce(intersection) : await findInCommon(connection, sampled),
    density: sampled.reduce((density, { share }) => density * share, 1),
  };
}

interface SampleRow extends Omit<Sample, 'share'> {
  readonly hits: number;
  readonly looked: number;
}

/** PostgreSQL cannot estimate how many tickets a word prefix finds. */
async function sampleParts(connection: AccountConnection, parts: readonly SampledPart['part'][]) {
  if (parts.length === 0) return [];
  const binding = bindingOf(connection.accountId);
  const samples = parts.map((part, place) => `(${sampleOf(binding, part, place)})`);
  const query = accountQuery(
    `with newest as materialized (select t.id, t.number, t.customer_id, t.tags from tickets t
        where t.account_id = $1 and t.deleted_at is null order by t.created_at desc, t.number desc limit ${NEWEST}),
      size as materialized (select count(*)::integer as looked, max(number) as last from newest),
      ${nearbyWords('newest')}
    ${samples.join(' union all ')} order by place`,
  );
  const rows = await connection.rows<SampleRow>(query, binding.values);
  return rows.map(({ matches, hits, looked, ...row }, place) => {
    const tickets = within(row.tickets, MAX_CANDIDATES);
    const customers = within(row.customers, MAX_CUSTOMERS);
    const share = looked === 0 || customers === null ? 1 : Math.min(1, Math.max(hits, 0.5) / looked);
    return { part: parts[place]!, matches, tickets, customers, share };
  });
}

const within = (ids: readonly string[] | null, limit: number): readonly string[] | null =>
  ids !== null && ids.length <= limit ? ids : null;

/** Arrays have at most one id too many, and are null if many of the newest tickets match: a lookup would be slow. */
function sampleOf(binding: Binding, part: PartWithLookup, place: number): string {
  const lookup = ticketLookup(binding, part);
  const tickets = `case when looked < ${NEWEST} or hits * last <= ${NEWEST * MAX_EXPECTED}
    then array(select * from (${lookup}) x limit ${MAX_CANDIDATES + 1}) end`;
  return `select ${place} as place, t.ids as tickets, c.ids as customers, looked,
      case when cardinality(t.ids) + cardinality(k.ids) <= ${MAX_CANDIDATES} then t.ids || k.ids end as matches,
      (hits + (select count(*) from newest where customer_id in (select unnest(c.ids))))::integer as hits
    from size,
      lateral (select ${hitsOf(binding, part)} as hits offset 0) h,
      lateral (select ${isOfCustomer(part) ? customersOf(binding, part) : NONE} as ids offset 0) c,
      lateral (select ${lookup === undefined ? NONE : tickets} as ids offset 0) t,
      lateral (select ${TICKETS_OF_CUSTOMERS} as ids offset 0) k`;
}

const NONE = `'{}'::uuid[]`;

function hitsOf(binding: Binding, part: PartWithLookup): string {
  if (part.kind === 'customer') return '0';
  if (part.kind === 'tag') return `(select count(*) from newest t where ${hasTag(binding, part.name)})`;
  return `(select count(distinct ticket_id) from nearby where words @@ ${ticketQuery(binding, part)})`;
}

function customersOf(binding: Binding, part: Extract<PartWithLookup, { words: unknown }>): string {
  const query = customerQuery(binding, part);
  const newest = `(select * from newest limit ${NEWEST_OF_CUSTOMERS}) t`;
  return `case when (select count(*) from ${newest} where ${byCustomer(query)}) < ${COMMON_AMONG_CUSTOMERS}
    then ${customersWith(query)} end`;
}

const customersWith = (query: string): string =>
  `array(select customers_with_words($1, ${query}) limit ${MAX_CUSTOMERS + 1})`;

/** Null if there are too many. The index of customers counts them first. */
const TICKETS_OF_CUSTOMERS = `case when cardinality(c.ids) <= ${MAX_CUSTOMERS}
    and (select count(*) from (${ticketsOfCustomers('', 'true')}) x) <= ${MAX_CANDIDATES}
  then array(${ticketsOfCustomers('x.id', 'x.account_id = $1')}) end`;

function ticketsOfCustomers(columns: string, condition: string): string {
  const limit = `limit ${MAX_CANDIDATES + 1}`;
  return `select ${columns} from unnest(c.ids) k(id) cross join lateral (
    select ${columns} from tickets x where x.customer_id = k.id and ${condition} ${limit}) x ${limit}`;
}

/**
 * A matching ticket has a customer who matches all parts, or words of at least one part. So a frequent first name and a
 * frequent last name can still be few tickets. Null if they are many.
 */
async function findInCommon(connection: AccountConnection, sampled: readonly SampledPart[]) {
  const known = sampled.filter(({ tickets }) => tickets);
  const tickets = known.flatMap((one) => one.tickets!);
  if (known.length < 2 || tickets.length > MAX_CANDIDATES) return null;
  const binding = bindingOf(connection.accountId);
  const queries = known.flatMap(({ part }) => (isOfCustomer(part) ? [customerQuery(binding, part)] : []));
  const query = accountQuery(
    `select ${TICKETS_OF_CUSTOMERS} as ids from (select ${customersWith(queries.join(' && '))} as ids offset 0) c`,
  );
  const found = await connection.row<{ ids: string[] | null }>(query, binding.values);
  return found?.ids ? within([...tickets, ...found.ids], MAX_CANDIDATES) : null;
}

function intersection(some: readonly string[], others: readonly string[]): string[] {
  const known = new Set(others);
  return some.filter((id) => known.has(id));
}
