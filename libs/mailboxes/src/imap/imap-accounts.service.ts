import { type AccountTx, Transactions } from '#libs/database';
import { Conflict, type ImapAccount, type Mailbox, NotFound } from '#libs/entities';
import { EventsService } from '#libs/events';
import { SecretBox } from '#libs/secret-box';
import { SETTINGS_TOKEN, type Settings } from '#libs/settings';
import { type RequestContext, requireManager } from '#libs/tickets';
import { Inject, Injectable } from '@nestjs/common';
import { MailboxesRepository } from '../mailboxes.repository.js';
import {
  type ImapSettings,
  deleteImapAccount,
  readImapAccount,
  requestRescan,
  saveImapAccount,
  setImapPaused,
} from './imap-account.statements.js';
import { type ImapSecret, sealedText } from './imap-leases.service.js';

export type ImapFields = Omit<ImapSettings, 'sealed' | 'keyId'> & { readonly secret: ImapSecret | null };

type Change = 'mailbox_imap_changed' | 'mailbox_imap_removed' | 'mailbox_imap_paused' | 'mailbox_imap_resumed';

/** Credentials are write-only. */
@Injectable()
export class ImapAccountsService {
  private readonly box: SecretBox;

  constructor(
    private readonly mailboxes: MailboxesRepository,
    private readonly transactions: Transactions,
    private readonly events: EventsService,
    @Inject(SETTINGS_TOKEN) settings: Settings,
  ) {
    this.box = new SecretBox(settings.SECRETS_KEY);
  }

  async read(context: RequestContext, name: string): Promise<ImapAccount> {
    const found = await this.find(context, name);
    if (!found) throw new NotFound('imap');
    return found;
  }

  async find(context: RequestContext, name: string): Promise<ImapAccount | null> {
    requireManager(context);
    const account = this.transactions.account(context);
    const mailbox = await this.mailboxes.find(account, name);
    if (!mailbox) throw new NotFound('mailbox');
    return readImapAccount(account, mailbox.id);
  }

  save(context: RequestContext, name: string, { secret, ...fields }: ImapFields): Promise<ImapAccount> {
    return this.change(context, name, 'mailbox_imap_changed', async (tx, { id }, now) => {
      const former = await readImapAccount(tx, id);
      const sealed = secret ? this.box.seal(sealedText(secret), id) : keptSecret(former, fields);
      await saveImapAccount(tx, id, { ...fields, sealed: sealed.sealed, keyId: sealed.keyId }, now);
    });
  }

  /** Keeps the mail that was fetched. */
  remove(context: RequestContext, name: string): Promise<void> {
    return this.run(context, name, 'mailbox_imap_removed', async (tx, { id }) => {
      if (!(await deleteImapAccount(tx, id))) throw new NotFound('imap');
    });
  }

  pause(context: RequestContext, name: string): Promise<ImapAccount> {
    return this.change(context, name, 'mailbox_imap_paused', (tx, { id }, now) => setImapPaused(tx, id, true, now));
  }

  resume(context: RequestContext, name: string): Promise<ImapAccount> {
    return this.change(context, name, 'mailbox_imap_resumed', (tx, { id }, now) => setImapPaused(tx, id, false, now));
  }

  /** Compares the last 14 days with the server, at once. */
  rescan(context: RequestContext, name: string): Promise<ImapAccount> {
    return this.change(context, name, null, (tx, { id }) => requestRescan(tx, id));
  }

  private change(
    context: RequestContext,
    name: string,
    activity: Change | null,
    work: (tx: AccountTx, mailbox: Mailbox, now: Date) => Promise<void>,
  ): Promise<ImapAccount> {
    return this.run(context, name, activity, async (tx, mailbox, now) => {
      await work(tx, mailbox, now);
      const changed = await readImapAccount(tx, mailbox.id);
      if (!changed) throw new NotFound('imap');
      return changed;
    });
  }

  private run<T>(
    context: RequestContext,
    name: string,
    activity: Change | null,
    work: (tx: AccountTx, mailbox: Mailbox, now: Date) => Promise<T>,
  ): Promise<T> {
    requireManager(context);
    return this.transactions.run(context, async (tx, now) => {
      const mailbox = await this.mailboxes.lock(tx, name);
      if (!mailbox) throw new NotFound('mailbox');
      const done = await work(tx, mailbox, now);
      const description = { ticketId: null, subject: mailbox.name, detail: {} };
      if (activity) await this.events.recordActivity(tx, context, activity, description);
      return done;
    });
  }
}

/** Keeps the secret only for the same server and user. */
function keptSecret(former: ImapAccount | null, fields: Omit<ImapFields, 'secret'>): ImapAccount {
  const same = ['host', 'port', 'security', 'username', 'signIn', 'tokenUrl', 'clientId'] as const;
  if (former && same.every((field) => former[field] === fields[field])) return former;
  throw new Conflict(
    'imap_secret_required',
    `Send the ${fields.signIn === 'oauth' ? 'refresh token' : 'password'} as well: it is kept only for the same server and user.`,
  );
}
