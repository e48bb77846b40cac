import { type AccountConnection, accountQuery, accountStatement } from '#libs/database';
import { Conditions, MAX_COUNTED_ROWS } from '#libs/lists';
import { OLDEST_RUNNING } from '../changes/change.statements.js';
import { FOLDER_IDS, type FolderId, withSnoozed } from './folders.js';
import { narrowToMailbox } from './ticket-conditions.js';
import { WAITING } from './ticket-orders.js';

const LATEST = `greatest((select max(changed_in) from ticket_recency where account_id = $1),
  (select max(changed_in) from change_marks where account_id = $1))`;

/** The latest change; null without one, and while an older transaction may still commit. */
export const SETTLED_CHANGE = `(select latest::text from (select ${LATEST} as latest) now where latest < ${OLDEST_RUNNING})`;

const READ_LATEST = accountStatement('folder_latest_change', `select ${LATEST}::text as latest`);

const ME = '$2';
/** Placeholder of the limit of a folder; 0 skips it. */
const limitOf = (folder: FolderId): string => `$${FOLDER_IDS.indexOf(folder) + 3}::integer`;

/**
 * No index of a folder knows which tickets are snoozed. So each folder is counted by its index, and the few snoozed
 * tickets are subtracted. Snoozed tickets beyond the cap count as awake.
 */
const countsWithin = (mailbox = ''): string =>
  `with now as materialized (select ${LATEST} as latest), asleep as materialized (
     select id, assignee_id, state, deleted_at, merged_into_id, waiting_since from tickets t
     where t.account_id = $1 and t.snoozed_until is not null and t.deleted_at is null${mailbox}
     order by t.created_at, t.number limit ${MAX_COUNTED_ROWS}
   ) select now.latest::text, coalesce(now.latest < ${OLDEST_RUNNING}, false) as "isSettled",
     ${FOLDER_IDS.map((folder) => countOf(folder, mailbox)).join(', ')} from now`;

function countOf(folder: FolderId, mailbox: string): string {
  if (folder === 'snoozed') return `least(${limitOf(folder)}, (select count(*)::integer from asleep)) as "snoozed"`;
  const limit = limitOf(folder);
  const holds = withSnoozed(folder, ME);
  // The few mentions are read by their keys.
  const order =
    folder === 'mentioned' ? '' : `order by ${folder === 'needs_reply' ? WAITING : 't.created_at'}, t.number`;
  const asleep = `(select count(*)::integer from asleep t where ${holds})`;
  return `least(${limit}, (select count(*)::integer from (
      select from tickets t where t.account_id = $1 and ${holds}${mailbox} ${order}
      limit case when ${limit} > 0 then ${limit} + ${asleep} else 0 end
    ) counted) - ${asleep}) as "${folder}"`;
}

const COUNT = accountStatement('folder_counts', countsWithin());

interface CountedFolders extends Readonly<Record<FolderId, number>> {
  readonly latest: string | null;
  /** No transaction up to `latest` still runs, so a later change has a higher number. */
  readonly isSettled: boolean;
}

export async function readLatestChange(connection: AccountConnection): Promise<string | null> {
  return (await connection.row<{ latest: string | null }>(READ_LATEST))!.latest;
}

export async function countFolders(
  connection: AccountConnection,
  folders: readonly FolderId[],
  { me, mailbox }: { readonly me: string; readonly mailbox: string | undefined },
): Promise<CountedFolders> {
  const values = [me, ...FOLDER_IDS.map((folder) => (folders.includes(folder) ? MAX_COUNTED_ROWS : 0))];
  if (mailbox === undefined) return (await connection.row<CountedFolders>(COUNT, values))!;
  const conditions = Conditions.forAccount('t');
  for (const value of values) conditions.bind(value);
  narrowToMailbox(conditions, mailbox);
  const query = accountQuery(countsWithin(` and ${conditions.sql()}`));
  return (await connection.row<CountedFolders>(query, conditions.values))!;
}
