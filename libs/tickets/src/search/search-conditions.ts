import { filter, rangeOf } from '#libs/database';
import type { Conditions } from '#libs/lists';
import { inStates } from '../lists/folders.js';
import { parsePersonReference, pointsAt } from '../references.js';
import type { RequestContext } from '../request-context.js';
import { Neighbours } from './neighbours.js';
import { type Binding, isInTicket, isOfCustomer, isOneOf, matchesTicket } from './part-conditions.js';
import type { Candidates, PlannedPart, SearchPlan } from './search-plan.js';
import type { SearchPart } from './search-query.js';

export type Searcher = Pick<RequestContext, 'accountId' | 'agentId'>;

interface Search {
  readonly binding: Binding;
  readonly conditions: Conditions;
  readonly agentId: string;
  readonly plan: SearchPlan;
}

/** Adds a condition for each part of a search. Returns the prelude of a walk. */
export function narrowToSearch(conditions: Conditions, plan: SearchPlan, { accountId, agentId }: Searcher): Neighbours {
  const binding = { accountId, bind: (value: unknown) => conditions.bind(value) };
  const neighbours = new Neighbours(binding);
  const unproven = plan.parts.filter(({ part, provenFor }) => {
    const indexed = part.excluded ? undefined : indexedCondition(conditions, part, agentId);
    if (indexed !== undefined) conditions.add(indexed);
    return indexed === undefined && provenFor !== 'all candidates';
  });
  const search = { binding, conditions, agentId, plan };
  if (plan.candidates?.areFew) {
    conditions.add(isCandidate(binding, plan.candidates));
    for (const one of unproven) conditions.add(partCondition(search, one));
  } else {
    const filters = walkFilters(search, unproven, neighbours);
    if (filters.length > 0) conditions.addFilter(inThisOrder(filters));
  }
  return neighbours;
}

/** An array, so that PostgreSQL looks up these tickets instead of scanning all. */
function isCandidate(binding: Binding, { tickets, customers }: Candidates): string {
  const ids = `select unnest(${binding.bind(tickets)}::uuid[])`;
  if (customers.length === 0) return `t.id = any (array(${ids}))`;
  return `t.id = any (array(${ids} union all select x.id from unnest(${binding.bind(customers)}::uuid[]) k(id)
    cross join lateral (select id from tickets where customer_id = k.id and ${filter('account_id = $1')}) x))`;
}

/** If at most this share of the newest tickets matches a part, the other parts are looked up for each match. */
const MAX_RARE_SHARE = 0.05;

/** The most selective filter comes first. Its words are read for all neighbours at once. */
function walkFilters(search: Search, parts: readonly PlannedPart[], neighbours: Neighbours): string[] {
  const { binding, plan } = search;
  const inOrder = parts.toSorted((a, b) => a.share - b.share);
  const first = plan.candidates ?? inOrder[0];
  const others = first && first.share <= MAX_RARE_SHARE ? undefined : neighbours;
  const candidates = plan.candidates ? [isCandidateOfWalk(binding, plan.candidates)] : [];
  return [...candidates, ...inOrder.map((one) => partCondition(search, one, one === first ? neighbours : others))];
}

const isCandidateOfWalk = (binding: Binding, { tickets, customers }: Candidates): string =>
  `(${isOneOf('t.customer_id', idsOf(binding, customers))} or ${isOneOf('t.id', idsOf(binding, tickets))})`;

/** PostgreSQL would choose another order by its estimates. */
const inThisOrder = (filters: readonly string[]): string =>
  filters.reduceRight((rest, sql) => `case when ${sql} then ${rest} else false end`);

function partCondition(search: Search, { part, provenFor, ...found }: PlannedPart, neighbours?: Neighbours): string {
  const { binding, conditions, agentId, plan } = search;
  const tickets = found.tickets && isInTicket(part) ? idsOf(binding, found.tickets) : undefined;
  const customers = found.customers && isOfCustomer(part) ? idsOf(binding, found.customers) : undefined;
  const matches =
    matchesTicket(binding, part, { neighbours, tickets, customers }) ?? otherCondition(conditions, part, agentId);
  if (part.excluded) return `(${matches}) is not true`;
  if (provenFor === 'none') return matches;
  return `(${isOneOf('t.customer_id', idsOf(binding, plan.candidates!.customers))} or ${matches})`;
}

const idsOf = (binding: Binding, ids: readonly string[]): string => `${binding.bind(ids)}::uuid[]`;

function indexedCondition(conditions: Conditions, part: SearchPart, me: string): string | undefined {
  if (part.kind === 'number') return part.number === null ? 'false' : `t.number = ${conditions.bind(part.number)}`;
  if (part.kind === 'state') return inState(conditions, part.state);
  if (part.kind === 'created')
    return `t.created_at ${part.side === 'before' ? '<' : '>='} ${conditions.bind(part.time)}`;
  if (part.kind === 'assignee') return exactAssignee(conditions, part.person, me);
  return undefined;
}

function inState(conditions: Conditions, state: Extract<SearchPart, { kind: 'state' }>['state']): string {
  return state === 'open' ? OPEN : inStates(conditions, [state]);
}

const OPEN = "t.state not in ('closed', 'spam')";

const NOBODY = new Set(['nobody', 'none', 'unassigned']);

function exactAssignee(conditions: Conditions, person: string, me: string): string | undefined {
  if (NOBODY.has(person.toLowerCase())) return 't.assignee_id is null';
  if (person.toLowerCase() === 'me') return `t.assignee_id = ${conditions.bind(me)}::uuid`;
  const reference = parsePersonReference(person);
  const isExact = reference.id !== null || person.includes('@');
  return isExact ? pointsAt(conditions, 't.assignee_id', 'agents', person) : undefined;
}

/** Includes conditions that no index serves. */
function otherCondition(conditions: Conditions, part: SearchPart, me: string): string {
  const indexed = indexedCondition(conditions, part, me);
  if (indexed !== undefined) return indexed;
  return part.kind === 'assignee' ? namedAssignee(conditions, part.person) : `(${OPEN} and ${CUSTOMER_WROTE_LAST})`;
}

const CUSTOMER_WROTE_LAST = `coalesce((select s.author_agent_id is null from messages s
  where ${rangeOf('s.ticket_id', 't.id')} and not s.note order by s.ticket_id desc, s.id desc limit 1), false)`;

function namedAssignee(conditions: Conditions, person: string): string {
  const name = conditions.bind(person.toLowerCase());
  return `t.assignee_id = any (array(select a.id from agents a where a.account_id = $1 and (
    starts_with(lower(concat_ws(' ', a.first_name, a.last_name)), ${name}) or starts_with(lower(a.last_name), ${name}))))`;
}
