import type { AccountTx } from '#libs/database';
import { Conflict, type Mailbox } from '#libs/entities';
import { type MailRoute, oweMail } from '#libs/mail';
import { newReturnToken } from '#libs/tickets';
import { askForRescan } from '../imap/imap-account.statements.js';
import { readTest, saveTest } from './mailbox-test.statements.js';
import { KEPT_IN_TRIAL, progressOf } from './mailbox-test-steps.js';

/** With the mailbox locked: sends it one mail, and has its IMAP server looked at, however long the last attempt failed. */
export async function startTest(tx: AccountTx, mailbox: Mailbox, route: MailRoute, now: Date): Promise<void> {
  const { id, email } = mailbox;
  if (isKept(mailbox, route)) throw new Conflict('mail_is_kept', KEPT_IN_TRIAL);
  const former = await readTest(tx, id);
  if (former && progressOf(former, now).result === 'running')
    throw new Conflict('test_is_running', 'This mailbox is being tested already.');
  const test = { kind: 'test', recipient: email, mailboxId: id, returnToken: newReturnToken() } as const;
  const mailId = oweMail(tx, test, now);
  saveTest(tx, { id, mailId, startedAt: now });
  await askForRescan(tx, id);
}

/** A trial keeps what goes out from it. */
export const isKept = ({ hasSmtp }: Mailbox, route: MailRoute): boolean => route === 'caught' && !hasSmtp;
