import { type AccountConnection, type AccountTx, accountStatement, columns, filter, hydrate } from '#libs/database';
import { ImapAccount, MailboxSmtp, type MailboxTest, type OutgoingMail } from '#libs/entities';

const SAVE_CHECK = accountStatement(
  'mailbox_test_save',
  `insert into mailbox_tests as t (account_id, id, mail_id, started_at) values ($1, $2, $3, $4)
   on conflict (id) do update set mail_id = $3, started_at = $4, arrived_at = null, source = null where t.account_id = $1`,
);

export function saveCheck(
  tx: AccountTx,
  { mailboxId, mailId, startedAt }: { readonly mailboxId: string; readonly mailId: string; readonly startedAt: Date },
): void {
  tx.send(SAVE_CHECK, [mailboxId, mailId, startedAt]);
}

const READ = accountStatement(
  'mailbox_test_read',
  `select t.started_at as "startedAt", t.arrived_at as "arrivedAt", t.source, o.recipient as email, o.state as "mailState",
     o.reason, o.ended_at as "endedAt", p.host as "smtpHost", ${columns(ImapAccount, 'i')}
   from mailbox_tests t join outgoing_mails o on o.id = t.mail_id
     left join mailbox_smtp p on p.id = t.id left join imap_accounts i on i.id = t.id
   where t.account_id = $1 and t.id = $2`,
);

type CheckMail = Pick<MailboxTest, 'startedAt' | 'arrivedAt' | 'source'> & Pick<OutgoingMail, 'reason' | 'endedAt'>;

export interface MailboxCheck extends CheckMail {
  readonly email: string;
  readonly mailState: OutgoingMail['state'];
  readonly smtpHost: string | null;
  readonly imap: Pick<ImapAccount, 'host' | 'folder' | 'state' | 'lastError'> | null;
}

export async function readCheck(account: AccountConnection, mailboxId: string): Promise<MailboxCheck | null> {
  const row = await account.row<Omit<MailboxCheck, 'imap'> & Record<string, unknown>>(READ, [mailboxId]);
  return row ? { ...row, imap: hydrate(ImapAccount, row, 'i') } : null;
}

const FIND_MAIL = accountStatement(
  'mailbox_test_find_mail',
  `select id from outgoing_mails where return_token = $2 and account_id = $1 and kind = 'test'`,
);

export async function findCheckMail(account: AccountConnection, token: string): Promise<string | null> {
  return (await account.row<{ id: string }>(FIND_MAIL, [token]))?.id ?? null;
}

const RECORD_RETURN = accountStatement(
  'mailbox_test_record_return',
  `update mailbox_tests t set arrived_at = $4, source = r.source from arrivals r
   where t.account_id = $1 and t.mail_id = $2 and t.arrived_at is null
     and r.id = $3 and r.mailbox_id = t.id and ${filter('r.account_id = $1')}`,
);

/** A forwarded copy in another mailbox proves nothing. */
export function recordReturn(
  tx: AccountTx,
  { mailId, arrivalId, arrivedAt }: { readonly mailId: string; readonly arrivalId: string; readonly arrivedAt: Date },
): void {
  tx.send(RECORD_RETURN, [mailId, arrivalId, arrivedAt]);
}

const READ_CHECKED_MAILBOX = accountStatement(
  'mailbox_test_mail_read',
  `select m.name, m.email, m.replies_by_mail or m.has_smtp as "isSetUp", ${columns(MailboxSmtp, 'p')}
   from mailboxes m left join mailbox_smtp p on p.id = m.id where m.account_id = $1 and m.id = $2`,
);

export interface CheckedMailbox {
  readonly name: string;
  readonly email: string;
  readonly isSetUp: boolean;
}

/** With the SMTP server of the mailbox. */
export const readCheckedMailbox = (account: AccountConnection, mailboxId: string) =>
  account.row<CheckedMailbox>(READ_CHECKED_MAILBOX, [mailboxId]);
