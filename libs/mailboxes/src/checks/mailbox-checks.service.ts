import { type AccountTx, Transactions } from '#libs/database';
import { Conflict, type Mailbox, newReturnToken } from '#libs/entities';
import { type MailRoute, mailRoute, queueMail } from '#libs/mail';
import { SETTINGS_TOKEN, type Settings } from '#libs/settings';
import { type RequestContext, requireManager } from '#libs/tickets';
import { Inject, Injectable } from '@nestjs/common';
import { requestRescan } from '../imap/imap-account.statements.js';
import { lockMailbox } from '../mailbox-records.js';
import { KEPT_IN_TRIAL, type MailboxCheckProgress, progressOf } from './mailbox-check-progress.js';
import { readCheck, saveCheck } from './mailbox-check.statements.js';

/** Checks mailboxes by an email from each to itself. */
@Injectable()
export class MailboxChecksService {
  constructor(
    private readonly transactions: Transactions,
    @Inject(SETTINGS_TOKEN) private readonly settings: Settings,
  ) {}

  start(context: RequestContext, name: string): Promise<void> {
    requireManager(context);
    return this.transactions.run(context, async (tx, now) => {
      await startCheck(tx, await lockMailbox(tx, name), mailRoute(this.settings), now);
    });
  }

  /** A trial keeps the mail, so no check is possible. */
  isKept(mailbox: Mailbox): boolean {
    return isKept(mailbox, mailRoute(this.settings));
  }

  async find(context: RequestContext, mailboxId: string): Promise<MailboxCheckProgress | null> {
    requireManager(context);
    const check = await readCheck(this.transactions.account(context), mailboxId);
    return check && progressOf(check, this.transactions.now());
  }
}

/** Reads the IMAP server at once. The caller has locked the mailbox. */
export async function startCheck(tx: AccountTx, mailbox: Mailbox, route: MailRoute, now: Date): Promise<void> {
  const { id, email } = mailbox;
  if (isKept(mailbox, route)) throw new Conflict('mail_is_kept', KEPT_IN_TRIAL);
  const previous = await readCheck(tx, id);
  if (previous && progressOf(previous, now).result === 'running')
    throw new Conflict('test_is_running', 'A test of this mailbox is already running. Wait until it ends.');
  const mail = { kind: 'test', recipient: email, mailboxId: id, returnToken: newReturnToken() } as const;
  saveCheck(tx, { mailboxId: id, mailId: queueMail(tx, mail, now), startedAt: now });
  await requestRescan(tx, id);
}

const isKept = ({ hasSmtp }: Mailbox, route: MailRoute): boolean => route === 'caught' && !hasSmtp;
