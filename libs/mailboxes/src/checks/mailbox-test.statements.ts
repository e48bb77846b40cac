import { type AccountConnection, type AccountTx, accountStatement, columns, filter, hydrate } from '#libs/database';
import { ImapAccount, type MailboxTest, type OutgoingMail } from '#libs/entities';

const SAVE = accountStatement(
  'mailbox_test_save',
  `insert into mailbox_tests as t (account_id, id, mail_id, started_at) values ($1, $2, $3, $4)
   on conflict (id) do update set mail_id = $3, started_at = $4, arrived_at = null, source = null where t.account_id = $1`,
);

/** It takes the place of the one before. */
export function saveTest(
  tx: AccountTx,
  { id, mailId, startedAt }: Pick<MailboxTest, 'id' | 'mailId' | 'startedAt'>,
): void {
  tx.send(SAVE, [id, mailId, startedAt]);
}

const READ = accountStatement(
  'mailbox_test_read',
  `select t.started_at as "startedAt", t.arrived_at as "arrivedAt", t.source, o.recipient as email, o.state as "mailState",
     o.reason, o.ended_at as "endedAt", p.host as "smtpHost", ${columns(ImapAccount, 'i')}
   from mailbox_tests t join outgoing_mails o on o.id = t.mail_id
     left join mailbox_smtp p on p.id = t.id left join imap_accounts i on i.id = t.id
   where t.account_id = $1 and t.id = $2`,
);

type SentTest = Pick<MailboxTest, 'startedAt' | 'arrivedAt' | 'source'> & Pick<OutgoingMail, 'reason' | 'endedAt'>;

/** The latest test of a mailbox, with what its steps depend on. */
export interface RunningTest extends SentTest {
  readonly email: string;
  readonly mailState: OutgoingMail['state'];
  /** Of the mail server of its own. */
  readonly smtpHost: string | null;
  readonly imap: Pick<ImapAccount, 'host' | 'folder' | 'state' | 'lastError'> | null;
}

/** Null for a mailbox that was not tested, or long ago. */
export async function readTest(account: AccountConnection, mailboxId: string): Promise<RunningTest | null> {
  const row = await account.row<Omit<RunningTest, 'imap'>>(READ, [mailboxId]);
  if (!row) return null;
  const { startedAt, arrivedAt, source, email, mailState, reason, endedAt, smtpHost } = row;
  const imap = hydrate(ImapAccount, row as unknown as Record<string, unknown>, 'i');
  return { startedAt, arrivedAt, source, email, mailState, reason, endedAt, smtpHost, imap };
}

const FIND_MAIL = accountStatement(
  'mailbox_test_find_mail',
  `select id from outgoing_mails where return_token = $2 and ${filter("account_id = $1 and kind = 'test'")}`,
);

/** The test mail of ours that has this token: the id under which it went out. */
export async function findTestMail(account: AccountConnection, token: string): Promise<string | null> {
  return (await account.row<{ id: string }>(FIND_MAIL, [token]))?.id ?? null;
}

const NOTE_ARRIVED = accountStatement(
  'mailbox_test_note_arrived',
  `update mailbox_tests t set arrived_at = $4, source = r.source from arrivals r
   where t.account_id = $1 and t.mail_id = $2 and t.arrived_at is null
     and r.id = $3 and r.mailbox_id = t.id and ${filter('r.account_id = $1')}`,
);

/** In the mailbox that is tested: one of another that it is forwarded to has not shown anything. */
export function noteTestArrived(tx: AccountTx, mailId: string, arrivalId: string, now: Date): void {
  tx.send(NOTE_ARRIVED, [mailId, arrivalId, now]);
}
