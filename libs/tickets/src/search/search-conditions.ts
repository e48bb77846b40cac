import { filter } from '#libs/database';
import { NONE } from '#libs/filters';
import { Conditions } from '#libs/lists';
import { CUSTOMER_WAITS, inStates } from '../lists/folders.js';
import { parsePersonReference, pointsAt } from '../references.js';
import type { RequestContext } from '../request-context.js';
import type { SearchPart, SoughtPart } from './search-query.js';
import { fileQuery, wordQuery } from './lexemes.js';

export interface SearchPlan {
  readonly parts: readonly PlannedPart[];
  /** All tickets that may match. Null if there are too many: then the newest tickets are walked. */
  readonly candidates: readonly string[] | null;
  /** Expected share of the newest tickets that match (0 to 1). */
  readonly density: number;
}

interface PlannedPart extends Partial<Sample> {
  readonly part: SoughtPart;
}

export interface Sample {
  /** All matches. Null if there are too many. Then a condition compares each ticket. */
  readonly matches: readonly string[] | null;
  /** All matches but those of customers. */
  readonly tickets: readonly string[] | null;
  readonly customers: readonly string[] | null;
  /** Share of the newest tickets that match (0 to 1). Parts of unknown customers count as 1. */
  readonly share: number;
}

export type Searcher = Pick<RequestContext, 'accountId' | 'agentId'>;

/** Adds a condition for each part of a search. */
export function narrowToSearch(conditions: Conditions, plan: SearchPlan, { accountId, agentId }: Searcher): void {
  const binding = bindingOf(accountId, conditions);
  const conditionOf = (planned: PlannedPart, isNearby = false): string => {
    const { part } = planned;
    const matches = matchesTicket(binding, planned, isNearby) ?? otherCondition(conditions, part, agentId);
    return part.excluded ? `(${matches}) is not true` : matches;
  };
  const others = plan.parts.filter(({ part, matches }) => {
    const indexed = part.excluded ? undefined : indexedCondition(conditions, part, agentId);
    if (indexed !== undefined) conditions.add(indexed);
    return indexed === undefined && !matches;
  });
  if (plan.candidates) {
    conditions.add(`t.id = any (array(select unnest(${idsOf(binding, plan.candidates)})))`);
    for (const one of others) conditions.add(conditionOf(one));
  } else if (others.length > 0) {
    // The most selective part comes first. PostgreSQL would choose another order by its estimates.
    const inOrder = others.toSorted((a, b) => (a.share ?? 1) - (b.share ?? 1));
    const first = inOrder.find(({ part, tickets }) => isInTicket(part) && !tickets);
    const query = first && isInTicket(first.part) ? ticketQuery(binding, first.part) : undefined;
    const filters = inOrder.map((one) => conditionOf(one, one === first));
    const sql = filters.reduceRight((rest, one) => `case when ${one} then ${rest} else false end`);
    const table = query && nearbyWords('scanned', filter(`w.words @@ ${query}`));
    conditions.scanFilter = { sql, table, density: plan.density };
  }
}

/** Undefined if the part is not about words or tags. */
function matchesTicket(binding: Binding, { part, tickets, customers }: PlannedPart, isNearby: boolean) {
  if (part.kind === 'tag') return hasTag(binding, part.name);
  const conditions: string[] = [];
  if (isInTicket(part)) {
    const known = isNearby ? 'array(select ticket_id from nearby)' : tickets && idsOf(binding, tickets);
    conditions.push(known ? isOneOf('t.id', known) : inTicket(ticketQuery(binding, part)));
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
  if (part.kind === 'number') return part.number === null ? 'false' : hasNumber(conditions, part.number);
  if (part.kind === 'state') return inState(conditions, part.state);
  if (part.kind === 'waiting') return CUSTOMER_WAITS;
  if (part.kind === 'created')
    return `t.created_at ${part.side === 'before' ? '<' : '>='} ${conditions.bind(part.time)}`;
  if (part.kind === 'assignee') return exactAssignee(conditions, part.person, me);
  if (part.kind === 'mailbox') return isNamed(conditions, 't.mailbox_id', 'mailboxes', part.name);
  if (part.kind === 'group') return isNamed(conditions, 't.assigned_group_id', 'groups', part.name);
  if (part.kind === 'priority')
    return part.priority === NONE ? 't.priority is null' : `t.priority = ${conditions.bind(part.priority)}`;
  return undefined;
}

/** Like `pointsAt`, but in any case. The exact name wins. */
function isNamed(conditions: Conditions, column: string, table: 'mailboxes' | 'groups', text: string): string {
  if (table === 'groups' && text.toLowerCase() === NONE) return `${column} is null`;
  const wanted = `${conditions.bind(text)}::text`;
  const names = `lower(name), id::text${table === 'mailboxes' ? ', email' : ''}`;
  return `${column} = (select id from ${table} where account_id = $1 and lower(${wanted}) in (${names})
    order by name <> ${wanted}, id limit 1)`;
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
  return indexed ?? (part.kind === 'assignee' ? namedAssignee(conditions, part.person) : 'true');
}

function namedAssignee(conditions: Conditions, person: string): string {
  const name = conditions.bind(person.toLowerCase());
  return `t.assignee_id = any (array(select a.id from agents a where a.account_id = $1 and (
    starts_with(lower(concat_ws(' ', a.first_name, a.last_name)), ${name}) or starts_with(lower(a.last_name), ${name}))))`;
}

/** Binds values of a query whose `$1` is the account. */
export type Binding = ReturnType<typeof bindingOf>;

export const bindingOf = (accountId: string, conditions = Conditions.forAccount('t')) => ({
  accountId,
  values: conditions.values,
  bind: (value: unknown) => conditions.bind(value),
});

type PartOfCustomer = Extract<SearchPart, { kind: 'words' | 'customer' }>;
type PartInTicket = Extract<SearchPart, { kind: 'words' | 'attachment' }>;
export type PartWithLookup = PartOfCustomer | PartInTicket | Extract<SearchPart, { kind: 'tag' }>;

const isInTicket = (part: SearchPart): part is PartInTicket => part.kind === 'words' || part.kind === 'attachment';

export const isOfCustomer = (part: SearchPart): part is PartOfCustomer =>
  part.kind === 'words' || part.kind === 'customer';

export const hasLookup = (part: SearchPart): part is PartWithLookup =>
  isInTicket(part) || isOfCustomer(part) || part.kind === 'tag';

export const customerQuery = ({ accountId, bind }: Binding, { words, isExact }: PartOfCustomer): string =>
  `${bind(wordQuery(accountId, words, isExact))}::tsquery`;

export const ticketQuery = (binding: Binding, part: PartInTicket): string =>
  part.kind === 'words' ? customerQuery(binding, part) : `${binding.bind(fileQuery(binding.accountId))}::tsquery`;

/** SQL for the ids of all matching tickets, except those of matching customers. Undefined if there are no others. */
export function ticketLookup(binding: Binding, part: PartWithLookup): string | undefined {
  if (part.kind === 'customer') return undefined;
  if (part.kind === 'tag')
    return `select t.id from tickets t where t.account_id = $1 and t.tags <> '{}'
      and account_words(t.account_id, t.tags) @> account_words($1, array[${binding.bind(part.name)}::text])`;
  const found = `select tickets_with_words($1, ${ticketQuery(binding, part)})`;
  if (part.kind === 'attachment' || part.number === null) return found;
  return `${found} union all select t.id from tickets t where t.account_id = $1 and ${hasNumber(binding, part.number)}`;
}

const hasNumber = (binding: Pick<Binding, 'bind'>, number: number): string =>
  isTicketWith(`number = ${binding.bind(number)}::integer`);

/** The number or external ID of a merged ticket finds the ticket that has its messages. */
export const isTicketWith = (identity: string): string =>
  `t.id = (select coalesce(n.merged_into_id, n.id) from tickets n where n.account_id = $1 and n.${identity})`;

export const hasTag = (binding: Binding, name: string): string =>
  `exists (select from unnest(t.tags) tag where lower(tag) = lower(${binding.bind(name)}::text))`;

/** An aggregate, because PostgreSQL might otherwise look up every matching customer to compare one. */
export const byCustomer = (query: string): string =>
  `coalesce((select bool_or(c.words @@ ${query}) from customer_words c where c.customer_id = t.customer_id), false)`;

/** An aggregate, because PostgreSQL might otherwise look up every matching ticket to compare one. */
const inTicket = (query: string): string =>
  `coalesce((select bool_or(w.words @@ ${query}) from ticket_words w where w.ticket_id = t.id), false)`;

/**
 * A common table expression of the words of many tickets, read in one index scan. That takes half the time of looking up
 * each. `tickets` has their ids.
 */
export const nearbyWords = (tickets: string, condition = 'true'): string =>
  `nearby as materialized (select w.ticket_id, w.words from ticket_words w
    where w.account_id = $1 and w.ticket_id = any (array(select id from ${tickets})) and ${condition})`;

/** A subquery, because PostgreSQL builds a hash table for it but not for an array. */
const isOneOf = (column: string, ids: string): string => `(${column} in (select unnest(${ids}))) is true`;
