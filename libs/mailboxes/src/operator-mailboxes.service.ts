import { type AccountTx, type Clock, type Database, columns, hydrate, isUuid, systemStatement } from '#libs/database';
import { Conflict, type ImapAccount, type ImapImport, Mailbox, NotFound } from '#libs/entities';
import { insertActivity } from '#libs/events';
import { mailRoute } from '#libs/mail';
import type { Settings } from '#libs/settings';
import { askForRescan, readImapAccount, setImapPaused } from './imap/imap-account.statements.js';
import { findImport, startImport } from './imap/imap-import.statements.js';
import { readTest } from './checks/mailbox-test.statements.js';
import { startTest } from './checks/mailbox-test-start.js';
import { type MailboxTestProgress, progressOf } from './checks/mailbox-test-steps.js';

const FIND = systemStatement(
  'operated_mailbox_find',
  'The operator names a mailbox of any account by its address',
  `select ${columns(Mailbox, 'm')} from mailboxes m where m.id = $1
   union all select ${columns(Mailbox, 'm')} from mailboxes m where m.email = $2 limit 2`,
);

/** No agent acts: the operator does. */
const NOBODY = { agentId: null, applicationId: null, requestId: null };

/** What the operator does with the mail of mailboxes. */
export class OperatorMailboxesService {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly settings: Settings,
  ) {}

  async find(addressOrId: string): Promise<Mailbox> {
    const values = isUuid(addressOrId) ? [addressOrId, null] : [null, addressOrId.toLowerCase()];
    const [found, other] = await this.database.system().rows(FIND, values);
    if (other)
      throw new Conflict('ambiguous_mailbox', `Several accounts have a mailbox ${addressOrId}: name it by its id.`);
    if (!found) throw new NotFound('mailbox');
    return hydrate(Mailbox, found, 'm')!;
  }

  async startTest({ accountId, id }: Mailbox): Promise<void> {
    await this.database.account(accountId).transaction(async (tx) => {
      const mailbox = await tx.repository(Mailbox).lock({ id });
      if (!mailbox) throw new NotFound('mailbox');
      await startTest(tx, mailbox, mailRoute(this.settings), this.clock.now());
    });
  }

  /** Null if there was none lately. */
  async progressOfTest({ accountId, id }: Mailbox): Promise<MailboxTestProgress | null> {
    const test = await readTest(this.database.account(accountId), id);
    return test && progressOf(test, this.clock.now());
  }

  pauseImap(mailbox: Mailbox): Promise<ImapAccount> {
    return this.changeImap(mailbox, async (tx, now) => {
      await setImapPaused(tx, mailbox.id, true, now);
      await this.note(tx, mailbox, 'mailbox_imap_paused');
    });
  }

  resumeImap(mailbox: Mailbox): Promise<ImapAccount> {
    return this.changeImap(mailbox, async (tx, now) => {
      await setImapPaused(tx, mailbox.id, false, now);
      await this.note(tx, mailbox, 'mailbox_imap_resumed');
    });
  }

  /** What the server has of the last 14 days is compared with what arrived, at once. */
  rescanImap(mailbox: Mailbox): Promise<ImapAccount> {
    return this.changeImap(mailbox, (tx) => askForRescan(tx, mailbox.id));
  }

  /** What was on the server before the mailbox was connected. */
  startImport(mailbox: Mailbox, since: Date | null): Promise<ImapImport> {
    return this.database.account(mailbox.accountId).transaction(async (tx) => {
      if (!(await tx.repository(Mailbox).lock({ id: mailbox.id }))) throw new NotFound('mailbox');
      const started = await startImport(tx, mailbox.id, { since, now: this.clock.now() });
      await this.note(tx, mailbox, 'mailbox_import_started');
      return started;
    });
  }

  /** Null if IMAP was removed meanwhile. */
  progressOfImport({ accountId, id }: Mailbox): Promise<ImapImport | null> {
    return findImport(this.database.account(accountId), id);
  }

  private changeImap(
    { accountId, id }: Mailbox,
    change: (tx: AccountTx, now: Date) => Promise<void>,
  ): Promise<ImapAccount> {
    return this.database.account(accountId).transaction(async (tx) => {
      await change(tx, this.clock.now());
      const changed = await readImapAccount(tx, id);
      if (!changed) throw new NotFound('imap');
      return changed;
    });
  }

  private note(tx: AccountTx, { name: subject }: Mailbox, kind: string): Promise<void> {
    return insertActivity(tx, NOBODY, { kind, ticketId: null, subject, detail: {} }, this.clock.now());
  }
}
