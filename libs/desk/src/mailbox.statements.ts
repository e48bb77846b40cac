import { type AccountConnection, type AccountTx, accountStatement, columns, hydrate } from '#libs/database';
import { Mailbox } from '#libs/entities';
import { loadInOrder } from '#libs/lists';
import { parseReference } from './references.js';

const FIND = `select ${columns(Mailbox, 'm')} from mailboxes m
  where m.account_id = $1 and (m.name = $2 or m.email = lower($2) or m.id = $3)`;
const READ = accountStatement('mailbox_read', FIND);
const LOCK = accountStatement('mailbox_lock', `${FIND} for update`);
const LOCK_ALL = accountStatement(
  'mailbox_lock_all',
  'select id from mailboxes where account_id = $1 order by id for update',
);
const LOAD = accountStatement(
  'mailbox_load',
  `select ${columns(Mailbox, 'm')} from mailboxes m where m.account_id = $1 and m.id = any($2)`,
);

/** By name, e-mail or id. */
export async function findMailbox(connection: AccountConnection, name: string): Promise<Mailbox | null> {
  return hydrate(Mailbox, (await connection.row(READ, Object.values(parseReference(name)))) ?? {}, 'm');
}

/** Also against tickets that are just now being put into it. */
export async function lockMailbox(connection: AccountConnection, name: string): Promise<Mailbox | null> {
  return hydrate(Mailbox, (await connection.row(LOCK, Object.values(parseReference(name)))) ?? {}, 'm');
}

/** One after the other per account: two who delete the last two at once must not both succeed. */
export async function lockAllMailboxes(tx: AccountTx): Promise<void> {
  await tx.rows(LOCK_ALL);
}

export const loadMailboxes = (connection: AccountConnection, ids: readonly string[]): Promise<Mailbox[]> =>
  loadInOrder(connection, LOAD, ids, (row) => hydrate(Mailbox, row, 'm'));
