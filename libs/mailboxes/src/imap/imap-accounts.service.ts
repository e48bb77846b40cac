import { type AccountConnection, type AccountTx, Transactions } from '#libs/database';
import { Conflict, ImapAccount, type ImapImport, existing } from '#libs/entities';
import { EventsService } from '#libs/events';
import { RECORDS, requireUnchanged } from '#libs/payloads';
import { SecretBox } from '#libs/secret-box';
import { type RequestContext, requireManager } from '#libs/tickets';
import { Injectable } from '@nestjs/common';
import { findMailbox, lockMailbox } from '../mailbox-records.js';
import {
  type ImapSettings,
  deleteImapAccount,
  readImapAccount,
  requestRescan,
  saveImapAccount,
  setImapPaused,
} from './imap-account.statements.js';
import { findImport, startImport, stopImport } from './imap-import.statements.js';
import { type ImapSecret, sealedText } from './imap-secret.js';

export type ImapFields = Omit<ImapSettings, 'sealed' | 'keyId'> & { readonly secret: ImapSecret | null };

type Work<T> = (tx: AccountTx, mailboxId: string, now: Date) => Promise<T>;

/** Credentials are write-only. An import brings in mail from before a mailbox was connected. */
@Injectable()
export class ImapAccountsService {
  constructor(
    private readonly transactions: Transactions,
    private readonly events: EventsService,
    private readonly box: SecretBox,
  ) {}

  async read(context: RequestContext, name: string): Promise<ImapAccount> {
    return existing(await this.find(context, name), 'imap');
  }

  find(context: RequestContext, name: string): Promise<ImapAccount | null> {
    return this.findBy(context, name, readImapAccount);
  }

  save(context: RequestContext, name: string, { secret, ...fields }: ImapFields): Promise<ImapAccount> {
    return this.change(context, name, 'mailbox_imap_changed', async (tx, id, now) => {
      const former = await readImapAccount(tx, id);
      const { sealed, keyId } = secret ? this.box.seal(sealedText(secret), id) : keptSecret(former, fields);
      await saveImapAccount(tx, id, { ...fields, sealed, keyId }, now);
    });
  }

  /** Keeps the mail that was fetched. */
  remove(context: RequestContext, name: string): Promise<void> {
    return this.run(context, name, 'mailbox_imap_removed', (tx, id) => deleteImapAccount(tx, id));
  }

  setPaused(context: RequestContext, name: string, isPaused: boolean): Promise<ImapAccount> {
    const activity = isPaused ? 'mailbox_imap_paused' : 'mailbox_imap_resumed';
    return this.change(context, name, activity, (tx, id, now) => setImapPaused(tx, id, isPaused, now));
  }

  /** Compares the last 14 days with the server, at once. */
  rescan(context: RequestContext, name: string): Promise<ImapAccount> {
    return this.change(context, name, null, (tx, id) => requestRescan(tx, id));
  }

  async readImport(context: RequestContext, name: string): Promise<ImapImport> {
    return existing(await this.findImport(context, name), 'import');
  }

  findImport(context: RequestContext, name: string): Promise<ImapImport | null> {
    return this.findBy(context, name, findImport);
  }

  startImport(context: RequestContext, name: string, since: Date | null): Promise<ImapImport> {
    return this.run(context, name, 'mailbox_import_started', (tx, id, now) => startImport(tx, id, { since, now }));
  }

  stopImport(context: RequestContext, name: string): Promise<void> {
    return this.run(context, name, 'mailbox_import_stopped', stopImport);
  }

  private async findBy<T>(
    context: RequestContext,
    name: string,
    find: (account: AccountConnection, mailboxId: string) => Promise<T>,
  ): Promise<T> {
    requireManager(context);
    const account = this.transactions.account(context);
    return find(account, (await findMailbox(account, name)).id);
  }

  private change(
    context: RequestContext,
    name: string,
    activity: string | null,
    work: Work<void>,
  ): Promise<ImapAccount> {
    return this.run(context, name, activity, async (tx, id, now) => {
      await work(tx, id, now);
      return existing(await readImapAccount(tx, id), 'imap');
    });
  }

  private run<T>(context: RequestContext, name: string, activity: string | null, work: Work<T>): Promise<T> {
    requireManager(context);
    return this.transactions.run(context, async (tx, now) => {
      const mailbox = await lockMailbox(tx, name);
      const imap = context.ifMatch && (await readImapAccount(tx, mailbox.id));
      const older = context.ifMatch && (await findImport(tx, mailbox.id));
      requireUnchanged(context, () => [
        { imap: imap && RECORDS.Imap(imap, this.events.links) },
        { import: older && RECORDS.ImapImport(older, this.events.links) },
      ]);
      const done = await work(tx, mailbox.id, now);
      if (activity) await this.events.recordActivity(tx, context, activity, { subject: mailbox.name });
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
