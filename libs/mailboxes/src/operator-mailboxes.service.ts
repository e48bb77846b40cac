import { type AccountTx, type Clock, type Database, type SystemTx, uuidAt } from '#libs/database';
import {
  Conflict,
  type ImapAccount,
  type ImapImport,
  Mailbox,
  isSignedForm,
  refuseSignedForm,
  validateEmail,
  validateName,
  existing,
} from '#libs/entities';
import { insertActivity, NO_ACTOR } from '#libs/events';
import { mailRoute } from '#libs/mail';
import type { Settings } from '#libs/settings';
import { type MailboxCheckProgress, progressOf } from './checks/mailbox-check-progress.js';
import { readCheck } from './checks/mailbox-check.statements.js';
import { startCheck } from './checks/mailbox-checks.service.js';
import { readImapAccount, requestRescan, setImapPaused } from './imap/imap-account.statements.js';
import { findImport, startImport } from './imap/imap-import.statements.js';
import { findMailboxes, listTaggedAddresses } from './mailboxes.statements.js';

export class OperatorMailboxesService {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly settings: Settings,
  ) {}

  async create(tx: SystemTx, accountId: string, { name, email }: Pick<Mailbox, 'name' | 'email'>): Promise<Mailbox> {
    const now = this.clock.now();
    const added = Object.assign(new Mailbox(), {
      id: uuidAt(now),
      name: validateName('name', name),
      email: validateEmail(email),
      emailSince: now,
      repliesByMail: true,
      createdAt: now,
      updatedAt: now,
    });
    refuseSignedForm(added.email);
    const account = tx.account(accountId);
    const mailboxes = account.repository(Mailbox);
    if (await mailboxes.findOne({ name: added.name }, { email: added.email }))
      throw new Conflict(
        'mailbox_exists',
        `This account already has a mailbox named ${added.name} or with the address ${added.email}.`,
      );
    await mailboxes.insert(added);
    await this.note(account, added, 'mailbox_created');
    return added;
  }

  async list(accountId: string): Promise<Mailbox[]> {
    const found = await this.database.account(accountId).repository(Mailbox).find();
    return found.sort((one, other) => one.createdAt.getTime() - other.createdAt.getTime());
  }

  async find(addressOrId: string): Promise<Mailbox> {
    const [found, other] = await findMailboxes(this.database.system(), addressOrId);
    if (other) throw new Conflict('ambiguous_mailbox', `Several accounts have a mailbox ${addressOrId}. Use the ID.`);
    return existing(found, 'mailbox');
  }

  /** Made by versions that accepted them. */
  async inSignedForm(): Promise<string[]> {
    return (await listTaggedAddresses(this.database.system())).filter(isSignedForm);
  }

  async startTest({ accountId, id }: Mailbox): Promise<void> {
    await this.database.account(accountId).transaction(async (tx) => {
      const mailbox = existing(await tx.repository(Mailbox).lock({ id }), 'mailbox');
      await startCheck(tx, mailbox, mailRoute(this.settings), this.clock.now());
    });
  }

  async progressOfTest({ accountId, id }: Mailbox): Promise<MailboxCheckProgress | null> {
    const check = await readCheck(this.database.account(accountId), id);
    return check && progressOf(check, this.clock.now());
  }

  setImapPaused(mailbox: Mailbox, isPaused: boolean): Promise<ImapAccount> {
    return this.changeImap(mailbox, async (tx) => {
      await setImapPaused(tx, mailbox.id, isPaused, this.clock.now());
      await this.note(tx, mailbox, isPaused ? 'mailbox_imap_paused' : 'mailbox_imap_resumed');
    });
  }

  rescanImap(mailbox: Mailbox): Promise<ImapAccount> {
    return this.changeImap(mailbox, (tx) => requestRescan(tx, mailbox.id));
  }

  startImport(mailbox: Mailbox, since: Date | null): Promise<ImapImport> {
    return this.database.account(mailbox.accountId).transaction(async (tx) => {
      existing(await tx.repository(Mailbox).lock({ id: mailbox.id }), 'mailbox');
      const started = await startImport(tx, mailbox.id, { since, now: this.clock.now() });
      await this.note(tx, mailbox, 'mailbox_import_started');
      return started;
    });
  }

  /** Null if IMAP was removed. */
  progressOfImport({ accountId, id }: Mailbox): Promise<ImapImport | null> {
    return findImport(this.database.account(accountId), id);
  }

  private changeImap({ accountId, id }: Mailbox, change: (tx: AccountTx) => Promise<void>): Promise<ImapAccount> {
    return this.database.account(accountId).transaction(async (tx) => {
      await change(tx);
      return existing(await readImapAccount(tx, id), 'imap');
    });
  }

  private note(tx: AccountTx, mailbox: Mailbox, kind: string): Promise<void> {
    return insertActivity(tx, NO_ACTOR, { kind, subject: mailbox.name }, this.clock.now());
  }
}
