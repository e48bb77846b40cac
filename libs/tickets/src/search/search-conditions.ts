import { filter, rangeOf } from '#libs/database';
import type { Conditions } from '#libs/lists';
import { inStates, inTable, pointsAt } from '../lists/narrowing.js';
import { parsePersonReference } from '../references.js';
import { standsIn } from './search-asked.js';
import { type Binding, isInTicket, isOfCustomer } from './search-lookups.js';
import { Neighbours, isOneOf } from './search-neighbours.js';
import type { SearchPart } from './search-part.js';
import type { Candidates, PlannedPart, SearchPlan } from './search-plan.js';

export interface Asking {
  readonly accountId: string;
  readonly agentId: string;
}

/** Adds a condition for each part of a search. Returns the prelude of a walk. */
export function narrowToSearch(conditions: Conditions, plan: SearchPlan, asking: Asking): Neighbours {
  const binding = { accountId: asking.accountId, bind: (value: unknown) => conditions.bind(value) };
  const neighbours = new Neighbours(binding);
  const asked = plan.parts.filter(({ part, holds }) => {
    const direct = part.excluded ? undefined : directCondition(conditions, part, asking.agentId);
    if (direct !== undefined) conditions.add(direct);
    return direct === undefined && holds !== 'of all';
  });
  const search = { binding, conditions, asking, plan };
  if (plan.candidates?.areFew) {
    conditions.add(isAmong(binding, plan.candidates));
    for (const one of asked) conditions.add(askedOf(search, one));
  } else {
    const filters = walked(search, asked, neighbours);
    if (filters.length > 0) conditions.addFilter(oneAfterTheOther(filters));
  }
  return neighbours;
}

/** An array, so that PostgreSQL looks up these tickets instead of scanning all. */
function isAmong(binding: Binding, { tickets, customers }: Candidates): string {
  const ids = `select unnest(${binding.bind(tickets)}::uuid[])`;
  if (customers.length === 0) return `t.id = any (array(${ids}))`;
  return `t.id = any (array(${ids} union all select x.id from unnest(${binding.bind(customers)}::uuid[]) k(id)
    cross join lateral (select id from tickets where customer_id = k.id and ${filter('account_id = $1')}) x))`;
}

interface Search {
  readonly binding: Binding;
  readonly conditions: Conditions;
  readonly asking: Asking;
  readonly plan: SearchPlan;
}

/** If at most this share of the newest tickets matches a part, the other parts are looked up for each match. */
const SELDOM = 0.05;

/** Filters of a walk, the most selective first. Its words are read for all neighbours at once. */
function walked(search: Search, asked: readonly PlannedPart[], neighbours: Neighbours): string[] {
  const { binding, plan } = search;
  const inOrder = asked.toSorted((a, b) => a.share - b.share);
  const first = plan.candidates ?? inOrder[0];
  const others = first && first.share <= SELDOM ? undefined : neighbours;
  const known = plan.candidates ? [isKnown(binding, plan.candidates)] : [];
  return [...known, ...inOrder.map((one) => askedOf(search, one, one === first ? neighbours : others))];
}

const isKnown = (binding: Binding, { tickets, customers }: Candidates): string =>
  `(${isOneOf('t.customer_id', idsOf(binding, customers))} or ${isOneOf('t.id', idsOf(binding, tickets))})`;

/** PostgreSQL would choose another order by its estimates. */
const oneAfterTheOther = (filters: readonly string[]): string =>
  filters.reduceRight((rest, sql) => `case when ${sql} then ${rest} else false end`);

function askedOf(search: Search, { part, holds, ...found }: PlannedPart, neighbours?: Neighbours): string {
  const { binding, conditions, asking, plan } = search;
  const tickets = found.tickets && isInTicket(part) ? idsOf(binding, found.tickets) : undefined;
  const customers = found.customers && isOfCustomer(part) ? idsOf(binding, found.customers) : undefined;
  const asked =
    standsIn(binding, part, { neighbours, tickets, customers }) ?? askedOfEach(conditions, part, asking.agentId);
  if (part.excluded) return `(${asked}) is not true`;
  if (holds === 'not surely') return asked;
  return `(${isOneOf('t.customer_id', idsOf(binding, plan.candidates!.customers))} or ${asked})`;
}

const idsOf = (binding: Binding, ids: readonly string[]): string => `${binding.bind(ids)}::uuid[]`;

/** Conditions that an index of the list serves. */
function directCondition(conditions: Conditions, part: SearchPart, me: string): string | undefined {
  if (part.kind === 'number') return part.number === null ? 'false' : `t.number = ${conditions.bind(part.number)}`;
  if (part.kind === 'state') return inState(conditions, part.state);
  if (part.kind === 'created')
    return `t.created_at ${part.side === 'before' ? '<' : '>='} ${conditions.bind(part.time)}`;
  if (part.kind === 'assignee') return exactAssignee(conditions, part.who, me);
  return undefined;
}

function inState(conditions: Conditions, state: Extract<SearchPart, { kind: 'state' }>['state']): string {
  return state === 'open' ? OPEN : inStates(conditions, [state]);
}

const OPEN = "t.state not in ('closed', 'spam')";

const NOBODY = new Set(['nobody', 'none', 'unassigned']);

function exactAssignee(conditions: Conditions, who: string, me: string): string | undefined {
  if (NOBODY.has(who.toLowerCase())) return 't.assignee_id is null';
  if (who.toLowerCase() === 'me') return `t.assignee_id = ${conditions.bind(me)}::uuid`;
  const reference = parsePersonReference(who);
  const isExact = reference.id !== null || who.includes('@');
  return isExact ? pointsAt(conditions, 't.assignee_id', inTable('agents', 'email', reference)) : undefined;
}

/** Conditions that no index serves. */
function askedOfEach(conditions: Conditions, part: SearchPart, me: string): string {
  const direct = directCondition(conditions, part, me);
  if (direct !== undefined) return direct;
  return part.kind === 'assignee' ? namedAssignee(conditions, part.who) : `(${OPEN} and ${CUSTOMER_WROTE_LAST})`;
}

const CUSTOMER_WROTE_LAST = `coalesce((select s.author_agent_id is null from messages s
  where ${rangeOf('s.ticket_id', 't.id')} and not s.note order by s.ticket_id desc, s.id desc limit 1), false)`;

function namedAssignee(conditions: Conditions, who: string): string {
  const name = conditions.bind(who.toLowerCase());
  return `t.assignee_id = any (array(select a.id from agents a where a.account_id = $1 and (
    starts_with(lower(concat_ws(' ', a.first_name, a.last_name)), ${name}) or starts_with(lower(a.last_name), ${name}))))`;
}
