import { type AccountConnection, type AccountTx, accountStatement, columns, hydrate } from '#libs/database';
import { Conflict, ImapImport, NotFound } from '#libs/entities';
import { readImapAccount } from './imap-account.statements.js';

const READ = accountStatement(
  'imap_import_read',
  `select ${columns(ImapImport, 'x')} from imap_imports x where x.account_id = $1 and x.id = $2`,
);

/** The latest one of a mailbox. Null if there was none. */
export async function findImport(account: AccountConnection, mailboxId: string): Promise<ImapImport | null> {
  return hydrate(ImapImport, (await account.row(READ, [mailboxId])) ?? {}, 'x');
}

/** It takes the place of the one before. */
const START = accountStatement(
  'imap_import_start',
  `insert into imap_imports as x (account_id, id, since, started_at) values ($1, $2, $3, $4)
   on conflict (id) do update set since = $3, started_at = $4, uid_validity = null, last_uid = 0, end_uid = 0, total = null,
     done = 0, due_at = clock_timestamp(), tries = 0, stuck_uid = null, stuck_tries = 0, last_error = null, ended_at = null,
     stopped = false
   where x.account_id = $1`,
);

/** With the mailbox locked, so that two do not start it at once. */
export async function startImport(
  tx: AccountTx,
  mailboxId: string,
  { since, now }: { readonly since: Date | null; readonly now: Date },
): Promise<ImapImport> {
  if (!(await readImapAccount(tx, mailboxId))) throw new NotFound('imap');
  const former = await findImport(tx, mailboxId);
  if (former && !former.endedAt)
    throw new Conflict('import_is_running', 'Older mail is being brought in already. Stop that first.');
  await tx.rows(START, [mailboxId, since, now]);
  return (await findImport(tx, mailboxId))!;
}

const STOP = accountStatement(
  'imap_import_stop',
  `update imap_imports set ended_at = $3, stopped = true where account_id = $1 and id = $2 and ended_at is null
   returning id`,
);

/** What was brought in stays. The worker hears of it before its next mails. */
export async function stopImport(tx: AccountTx, mailboxId: string, now: Date): Promise<void> {
  if (!(await tx.row(STOP, [mailboxId, now]))) throw new NotFound('import');
}
