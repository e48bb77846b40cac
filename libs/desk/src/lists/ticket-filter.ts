import type { TicketPriority, TicketState } from '#libs/entities';
import { Conditions, type Order } from '#libs/lists';
import { type Reference, parsePersonReference, parseReference } from '../references.js';
import { type FolderId, folderCondition } from './folders.js';

/** Stands for "no value" in a filter and in a form, where null cannot be said. */
export const NONE = 'none';

/** A snoozed ticket keeps its state, so this finds it in any. */
export const SNOOZED = 'snoozed';
export type TicketStateFilter = TicketState | typeof SNOOZED;

export interface TicketFilter {
  readonly folder?: FolderId | undefined;
  readonly customer?: string | undefined;
  /** E-mail or id; null for those nobody is assigned to. */
  readonly assignee?: string | null | undefined;
  readonly assignedGroup?: string | null | undefined;
  readonly states?: readonly TicketStateFilter[] | undefined;
  readonly mailbox?: string | undefined;
  readonly tag?: TagTerm | undefined;
  readonly priority?: TicketPriority | null | undefined;
  readonly createdSince?: Date | undefined;
  readonly createdBefore?: Date | undefined;
  readonly updatedSince?: Date | undefined;
  /** Terms of a full-text search, every one of which must be found. */
  readonly terms?: readonly SearchTerm[] | undefined;
}

/** What finds few tickets is looked up in an index; for what finds many the newest tickets are looked through. */
export interface SearchTerm {
  readonly query: string;
  readonly rare: boolean;
}

export interface TagTerm {
  readonly name: string;
  readonly rare: boolean;
}

const KEYS = {
  created_at: { column: 't.created_at', type: 'timestamptz' },
  updated_at: { column: 't.updated_at', type: 'timestamptz' },
  number: { column: 't.number', type: 'integer' },
} as const;

const order = (name: string, descending: boolean, ...keys: (keyof typeof KEYS)[]): Order => ({
  name,
  descending,
  keys: keys.map((key) => KEYS[key]),
});

export const TICKET_ORDERS = {
  '-created_at': order('-created_at', true, 'created_at', 'number'),
  created_at: order('created_at', false, 'created_at', 'number'),
  '-updated_at': order('-updated_at', true, 'updated_at', 'number'),
  updated_at: order('updated_at', false, 'updated_at', 'number'),
  '-number': order('-number', true, 'number'),
  number: order('number', false, 'number'),
} as const satisfies Record<string, Order>;

export type TicketSort = keyof typeof TICKET_ORDERS;
export const TICKET_SORTS = Object.keys(TICKET_ORDERS) as TicketSort[];

export function ticketConditions(filter: TicketFilter, me: string): Conditions {
  const conditions = Conditions.forAccount('t');
  narrowToFolder(conditions, filter, me);
  narrowToPeople(conditions, filter);
  if (filter.mailbox !== undefined) narrowToMailbox(conditions, filter.mailbox);
  narrowToTime(conditions, filter);
  if (filter.tag) narrowToTag(conditions, filter.tag);
  if (filter.terms) narrowToTerms(conditions, filter.terms);
  return conditions;
}

function narrowToFolder(conditions: Conditions, { folder, states, priority }: TicketFilter, me: string): void {
  if (folder === undefined) conditions.add('t.deleted_at is null');
  else conditions.add(folderCondition(folder, `${folder === 'mine' ? conditions.bind(me) : ''}::uuid`));
  if (states) conditions.add(inStates(states, conditions));
  if (priority === null) conditions.add('t.priority is null');
  else if (priority) conditions.add(`t.priority = ${conditions.bind(priority)}`);
}

function inStates(wanted: readonly TicketStateFilter[], conditions: Conditions): string {
  const states = wanted.filter((state) => state !== SNOOZED);
  const found = [
    ...(states.length > 0 ? [equalsAny('t.state', states, conditions)] : []),
    ...(states.length < wanted.length ? ['t.snoozed_until is not null'] : []),
  ];
  return `(${found.join(' or ')})`;
}

function narrowToPeople(conditions: Conditions, { customer, assignee, assignedGroup }: TicketFilter): void {
  if (customer !== undefined)
    pointsAt(conditions, 't.customer_id', inTable('customers', 'email', parsePersonReference(customer)));
  if (assignee === null) conditions.add('t.assignee_id is null');
  else if (assignee !== undefined)
    pointsAt(conditions, 't.assignee_id', inTable('agents', 'email', parsePersonReference(assignee)));
  if (assignedGroup === null) conditions.add('t.assigned_group_id is null');
  else if (assignedGroup !== undefined)
    pointsAt(conditions, 't.assigned_group_id', inTable('groups', 'name', parseReference(assignedGroup)));
}

function narrowToTag(conditions: Conditions, { name, rare }: TagTerm): void {
  const value = `${conditions.bind(name)}::text`;
  if (rare)
    conditions.add(`t.tags <> '{}' and account_words(t.account_id, t.tags) @> account_words($1, array[${value}])`);
  else conditions.addFilter(`exists (select from unnest(t.tags) tag where lower(tag) = lower(${value}))`);
}

/** A word that is found in no ticket finds none, and so do no words at all. */
function narrowToTerms(conditions: Conditions, terms: readonly SearchTerm[]): void {
  if (terms.length === 0) conditions.add('false');
  const rare = terms.filter((term) => term.rare);
  const common = terms.filter((term) => !term.rare);
  for (const { query } of rare) conditions.add(isAmong(`w.words @@ ${conditions.bind(query)}::tsquery`));
  if (common.length === 0) return;
  const stands = common.map(({ query }) => `bool_or(w.words @@ ${conditions.bind(query)}::tsquery)`).join(' and ');
  const all = `(select coalesce(${stands}, false) from ticket_words w where w.ticket_id = t.id)`;
  // Few are left where a rare word narrows them; then none needs to be overlooked.
  if (rare.length > 0) conditions.add(all);
  else conditions.addFilter(all);
}

/** The array is made before the list is read, so that PostgreSQL looks up its tickets instead of looking through all. */
const isAmong = (words: string): string =>
  `t.id = any (array(select w.ticket_id from ticket_words w where w.account_id = $1 and ${words}))`;

/** By name, e-mail or id. */
export function narrowToMailbox(conditions: Conditions, mailbox: string): void {
  const named = mailbox.includes('@')
    ? inTable('mailboxes', 'email', parsePersonReference(mailbox))
    : inTable('mailboxes', 'name', parseReference(mailbox));
  pointsAt(conditions, 't.mailbox_id', named);
}

function narrowToTime(conditions: Conditions, { createdSince, createdBefore, updatedSince }: TicketFilter): void {
  if (createdSince) conditions.add(`t.created_at >= ${conditions.bind(createdSince)}`);
  if (createdBefore) conditions.add(`t.created_at < ${conditions.bind(createdBefore)}`);
  if (updatedSince) conditions.add(`t.updated_at >= ${conditions.bind(updatedSince)}`);
}

interface TableReference extends Reference {
  readonly table: string;
  readonly nameColumn: string;
}

const inTable = (table: string, nameColumn: string, named: Reference): TableReference => ({
  table,
  nameColumn,
  ...named,
});

/** Found first and compared then, so that the list is read from the index of what it is narrowed to. */
function pointsAt(conditions: Conditions, column: string, { table, nameColumn, name, id }: TableReference): void {
  const found = id === null ? `${nameColumn} = ${conditions.bind(name)}` : `id = ${conditions.bind(id)}`;
  conditions.add(`${column} = (select id from ${table} where account_id = $1 and ${found})`);
}

/** One value is an equality, which an index can also sort by; a list of values is not. */
function equalsAny(column: string, values: readonly string[], conditions: Conditions): string {
  if (values.length === 1) return `${column} = ${conditions.bind(values[0])}`;
  return `${column} = any(${conditions.bind(values)})`;
}
