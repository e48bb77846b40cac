import { filter, rangeOf } from '#libs/database';
import type { Conditions, Walk } from '#libs/lists';
import { inStates } from '../lists/folders.js';
import { parsePersonReference, pointsAt } from '../references.js';
import type { RequestContext } from '../request-context.js';
import { inNearbyTicket, nearbyWords } from './nearby-words.js';
import {
  type Binding,
  byCustomer,
  customerQuery,
  hasNumber,
  hasTag,
  inTicket,
  isInTicket,
  isOfCustomer,
  isOneOf,
  ticketQuery,
} from './part-conditions.js';
import type { PlannedPart, SearchPlan } from './search-plan.statements.js';
import type { SearchPart } from './search-query.js';

export type Searcher = Pick<RequestContext, 'accountId' | 'agentId'>;

/** Adds a condition for each part of a search. Returns the prelude of a walk. */
export function narrowToSearch(
  conditions: Conditions,
  { parts, candidates }: SearchPlan,
  { accountId, agentId }: Searcher,
): (walk: Walk) => string {
  const binding = { accountId, bind: (value: unknown) => conditions.bind(value) };
  const conditionOf = (planned: PlannedPart, nearby?: string): string => {
    const { part } = planned;
    const matches = matchesTicket(binding, planned, nearby) ?? otherCondition(conditions, part, agentId);
    return part.excluded ? `(${matches}) is not true` : matches;
  };
  const others = parts.filter(({ part, isProven }) => {
    const indexed = part.excluded ? undefined : indexedCondition(conditions, part, agentId);
    if (indexed !== undefined) conditions.add(indexed);
    return indexed === undefined && !isProven;
  });
  if (candidates) {
    conditions.add(`t.id = any (array(select unnest(${idsOf(binding, candidates)})))`);
    for (const one of others) conditions.add(conditionOf(one));
    return () => '';
  }
  // The most selective part comes first. PostgreSQL would choose another order by its estimates.
  const inOrder = others.toSorted((a, b) => (a.share ?? 1) - (b.share ?? 1));
  const scanned = inOrder.find(({ part, tickets }) => isInTicket(part) && !tickets);
  const nearby = scanned && isInTicket(scanned.part) ? ticketQuery(binding, scanned.part) : undefined;
  const filters = inOrder.map((one) => conditionOf(one, one === scanned ? nearby : undefined));
  if (filters.length > 0)
    conditions.addFilter(filters.reduceRight((rest, sql) => `case when ${sql} then ${rest} else false end`));
  return (walk) => (nearby === undefined ? '' : nearbyWords(walk, 'w.ticket_id', filter(`w.words @@ ${nearby}`)));
}

/** Undefined if the part is not about words or tags. */
function matchesTicket(
  binding: Binding,
  { part, tickets, customers }: PlannedPart,
  nearby: string | undefined,
): string | undefined {
  if (part.kind === 'tag') return hasTag(binding, part.name);
  const conditions: string[] = [];
  if (isInTicket(part)) {
    if (tickets) conditions.push(isOneOf('t.id', idsOf(binding, tickets)));
    else conditions.push(nearby === undefined ? inTicket(ticketQuery(binding, part)) : inNearbyTicket(nearby));
  }
  if (isOfCustomer(part)) {
    const known = customers && isOneOf('t.customer_id', idsOf(binding, customers));
    conditions.push(known ?? byCustomer(customerQuery(binding, part)));
  }
  if (part.kind === 'words' && part.number !== null) conditions.push(hasNumber(binding, part.number));
  return conditions.length === 0 ? undefined : `(${conditions.join(' or ')})`;
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
