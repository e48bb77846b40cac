import { type AccountConnection, type AccountStatement, MAX_UUID, NIL_UUID, accountStatement } from '#libs/database';
import { COPIED_KINDS, type CopiedKind } from '#libs/entities';
import { BODY_BYTES } from '../messages/message.statements.js';

/** Where a cursor stands: after this row, or after one of the records that depend on it. */
export interface ChangePosition {
  readonly transaction: string;
  readonly source: ChangeSource;
  readonly id: string;
  /** Keys of the last reported record that depends on the row. Absent after the row and all of its dependents. */
  readonly dependentKeys?: readonly string[] | undefined;
}

/**
 * The kind of a changed record, or that of a mark. A mark is a row of `change_marks`. A trigger writes one when a record
 * is deleted, and when a change shows in other records: a group's name also stands in its tickets.
 */
export type ChangeSource = CopiedKind | `mark ${CopiedKind | DependentsName}`;

export interface FoundChange extends Omit<ChangePosition, 'dependentKeys'> {
  /** The id in the API of a deleted record. */
  readonly publicId: string | null;
  readonly bytes: number;
}

interface FoundChanges {
  readonly found: readonly FoundChange[];
  readonly history: string;
  /** The cursor's transaction does not exist in this database yet. */
  readonly isAhead: boolean;
  /** A dump brought rows with transaction numbers that this database has not reached. */
  readonly hasForeign: boolean | null;
  readonly latest: string;
}

/** A payload is larger than its row by links, names and the text of the last message. */
const ADDED_BYTES = 1_000;
const TICKET_BYTES = `${ADDED_BYTES} + octet_length(t::text)`;

/** Rows with `changed_in`. Those of tickets are a copy, which a trigger keeps. */
const TABLES: Readonly<Record<CopiedKind, string>> = {
  agent: 'agents',
  group: 'groups',
  mailbox: 'mailboxes',
  customer: 'customers',
  ticket: 'ticket_recency',
  message: 'messages',
  attachment: 'attachments',
};
const ALL_TABLES = [...Object.values(TABLES), 'change_marks'];

/** Only transactions older than every running one are reported. So no row can appear behind a cursor. */
export const OLDEST_RUNNING = 'pg_snapshot_xmin(pg_current_snapshot())::text::bigint';
const NOT_STARTED = 'pg_snapshot_xmax(pg_current_snapshot())::text::bigint';

export const LATEST_CHANGE = `(select max(latest) from (${ALL_TABLES.map(
  (table) =>
    `(select changed_in as latest from ${table} where account_id = $1 and changed_in < ${OLDEST_RUNNING}
      order by changed_in desc limit 1)`,
).join(' union all ')}) each_table)`;

const LAST_NUMBER = `greatest(${ALL_TABLES.map(
  (table) => `(select max(changed_in) from ${table} where account_id = $1)`,
).join(', ')})`;

const idOf = (kind: CopiedKind): string => (kind === 'ticket' ? 'ticket_id' : 'id');

function bytesOf(kind: CopiedKind): string {
  if (kind === 'message') return BODY_BYTES;
  return kind === 'ticket'
    ? `(select ${TICKET_BYTES} from tickets t where t.id = s.ticket_id)`
    : `${ADDED_BYTES} + octet_length(s::text)`;
}

const changedRows = (kind: CopiedKind, rank: number): string =>
  `(select s.changed_in, ${rank} as rank, '${kind}' as source, s.${idOf(kind)}, null as public_id,
      ${bytesOf(kind)} as bytes
    from ${TABLES[kind]} s
    where '${kind}' = any($7) and s.account_id = $1 and (s.changed_in, s.${idOf(kind)}) > ($2, ($3::uuid[])[${rank + 1}]) and s.changed_in < ${OLDEST_RUNNING}
    order by s.changed_in, s.${idOf(kind)} limit $6)`;

const SCAN = accountStatement(
  'changes_scan',
  `with near as (
     ${COPIED_KINDS.map(changedRows).join(' union all ')} union all
     select m.changed_in, ${COPIED_KINDS.length}, 'mark ' || m.kind, m.record_id, m.public_id, ${ADDED_BYTES}
     from unnest($8::text[]) as wanted (kind) cross join lateral (
       select * from change_marks
       where account_id = $1 and kind = wanted.kind and changed_in < ${OLDEST_RUNNING} and (changed_in, record_id) >
         ($2, case when wanted.kind < $4 then '${MAX_UUID}' when wanted.kind = $4 then $5 else '${NIL_UUID}' end::uuid)
       order by changed_in, record_id limit $6) m
   ), first as (select * from near order by changed_in, rank, source, id limit $6)
   select database_history() as history, $2 >= ${NOT_STARTED} as "isAhead", ${LATEST_CHANGE}::text as latest,
     ${LAST_NUMBER} >= ${NOT_STARTED} as "hasForeign",
     coalesce((select jsonb_agg(jsonb_build_object('transaction', changed_in::text, 'source', source, 'id', id,
       'publicId', public_id, 'bytes', bytes) order by changed_in, rank, source, id) from first), '[]') as found`,
);

/** Reads the rows after a position, of all tables in one order: by transaction, then by table, then by id. */
export async function findChanges(
  account: AccountConnection,
  from: ChangePosition,
  { kinds, limit }: { readonly kinds: readonly CopiedKind[]; readonly limit: number },
): Promise<FoundChanges> {
  const markKind = markKindOf(from.source);
  const rank = markKind === null ? COPIED_KINDS.indexOf(from.source as CopiedKind) : COPIED_KINDS.length;
  const after = COPIED_KINDS.map((_, kind) => (kind < rank ? MAX_UUID : kind === rank ? from.id : NIL_UUID));
  const mark = markKind === null ? ['', NIL_UUID] : [markKind, from.id];
  const values = [from.transaction, after, ...mark, limit, kinds, markKindsOf(kinds)];
  return (await account.row<FoundChanges>(SCAN, values))!;
}

/** Null for a record. */
export const markKindOf = (source: ChangeSource): CopiedKind | DependentsName | null =>
  source.startsWith('mark ') ? (source.slice('mark '.length) as CopiedKind | DependentsName) : null;

const MAX_MARKED_ROWS = 10_000;

const MARK_FOREIGN = accountStatement(
  'changes_mark_foreign',
  `with ${ALL_TABLES.map((table) => {
    const [marked, key, place] = table === TABLES.ticket ? ['tickets', 'id', 'ticket_id'] : [table, 'ctid', 'ctid'];
    return `${table}_marked as (
       update ${marked} set changed_in = pg_current_xact_id()::text::bigint where ${key} = any(array(
         select ${place} from ${table} where account_id = $1 and changed_in >= ${NOT_STARTED} limit ${MAX_MARKED_ROWS} for no key update)))`;
  }).join(', ')} select 1`,
);

/**
 * A restored dump keeps transaction numbers of the old server. The feed would hide its rows until this server reaches
 * those numbers, so they are marked as changed now.
 */
export async function markForeign(account: AccountConnection): Promise<void> {
  await account.rows(MARK_FOREIGN);
}

/** Records that show a part of another record, so they change with it. Read in the order of an index. */
interface Dependents {
  readonly kind: CopiedKind;
  readonly statement: AccountStatement;
  /** Keys before those of the first. */
  readonly firstKeys: readonly string[];
}

interface Dependent {
  readonly id: string;
  readonly keys: readonly string[];
  readonly bytes: number;
}

const LONG_AGO = '-infinity';

const ticketsWith = (name: string, column: string): Dependents => ({
  kind: 'ticket',
  firstKeys: [LONG_AGO, '0'],
  statement: accountStatement(
    `changes_${name}`,
    `select t.id, array[t.created_at::text, t.number::text] as keys, ${TICKET_BYTES} as bytes from tickets t
     where t.account_id = $1 and t.${column} = $2 and (t.created_at, t.number) > ($3, $4)
     order by t.created_at, t.number limit $5`,
  ),
});

const messagesWhere = (name: string, condition: string): Dependents => ({
  kind: 'message',
  firstKeys: [NIL_UUID],
  statement: accountStatement(
    `changes_${name}`,
    `select s.id, array[s.id::text] as keys, ${BODY_BYTES} as bytes from messages s
     where s.account_id = $1 and ${condition} and s.id > $3 order by s.id limit $4`,
  ),
});

/** By the kinds of marks that the triggers write. */
export const DEPENDENTS = {
  tickets_of_group: ticketsWith('tickets_of_group', 'assigned_group_id'),
  tickets_of_mailbox: ticketsWith('tickets_of_mailbox', 'mailbox_id'),
  tickets_of_customer: ticketsWith('tickets_of_customer', 'customer_id'),
  messages_by_customer: messagesWhere('messages_by_customer', 's.author_customer_id = $2'),
  messages_to_assignee: messagesWhere('messages_to_assignee', 's.ticket_id = $2 and s.author_agent_id is null'),
  messages_of_agents: messagesWhere('messages_of_agents', 's.ticket_id = $2 and s.author_agent_id is not null'),
  messages_to_customer: {
    kind: 'message',
    firstKeys: [LONG_AGO, '0', NIL_UUID],
    statement: accountStatement(
      'changes_messages_to_customer',
      `select s.id, array[t.created_at::text, t.number::text, s.id::text] as keys, ${BODY_BYTES} as bytes
       from tickets t join messages s on s.ticket_id = t.id
       where t.account_id = $1 and t.customer_id = $2 and s.author_agent_id is not null and not s.note
         and (t.created_at, t.number) >= ($3, $4) and (t.created_at, t.number, s.id) > ($3, $4, $5)
       order by t.created_at, t.number, s.id limit $6`,
    ),
  },
} as const satisfies Record<string, Dependents>;

export type DependentsName = keyof typeof DEPENDENTS;

/** The kinds of marks that lead to records of these kinds. */
export function markKindsOf(kinds: readonly CopiedKind[]): (CopiedKind | DependentsName)[] {
  const names = Object.keys(DEPENDENTS) as DependentsName[];
  return [...new Set([...kinds, ...names.filter((name) => kinds.includes(DEPENDENTS[name].kind))])];
}

export const findDependents = (
  account: AccountConnection,
  name: DependentsName,
  { id, dependentKeys = DEPENDENTS[name].firstKeys }: Pick<ChangePosition, 'id' | 'dependentKeys'>,
  limit: number,
): Promise<Dependent[]> => account.rows<Dependent>(DEPENDENTS[name].statement, [id, ...dependentKeys, limit]);
