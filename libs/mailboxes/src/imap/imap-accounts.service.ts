import { type AccountConnection, type AccountTx, Database, Transactions, hydrate } from '#libs/database';
import { Conflict, ImapAccount, type ImapImport, existing } from '#libs/entities';
import { EventsService } from '#libs/events';
import { SecretBox } from '#libs/secret-box';
import { type RequestContext, requireManager } from '#libs/tickets';
import { Injectable } from '@nestjs/common';
import { findMailbox, lockMailbox, mailboxActivity } from '../mailbox-records.js';
import {
  type ImapSettings,
  REPLACE_SECRET,
  deleteImapAccount,
  findImport,
  readImapAccount,
  requestRescan,
  saveImapAccount,
  setImapPaused,
  startImport,
  stopImport,
} from './imap-account.statements.js';
import {
  CLAIM_MAILBOXES,
  COUNT_MAILBOXES,
  type HeldImap,
  type ImapRelease,
  type LeasedImap,
  RELEASE_LEASE,
  RENEW_LEASES,
  type RenewedImap,
} from './imap-lease.statements.js';

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
      const done = await work(tx, mailbox.id, now);
      if (activity) await this.events.recordActivity(tx, context, activity, mailboxActivity(mailbox));
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

export type ImapSecret =
  | { readonly password: string }
  | { readonly refreshToken: string; readonly clientSecret: string | null };

const sealedText = (secret: ImapSecret): string => JSON.stringify(secret);

@Injectable()
export class ImapLeasesService {
  constructor(
    private readonly database: Database,
    private readonly box: SecretBox,
  ) {}

  async count(): Promise<{ total: number; free: number }> {
    return (await this.database.system().row(COUNT_MAILBOXES, [0])) as { total: number; free: number };
  }

  async claim(limit: number, { freeForMs }: { readonly freeForMs: number }): Promise<LeasedImap[]> {
    const rows = await this.database.system().rows(CLAIM_MAILBOXES, [freeForMs / 1000, limit]);
    return rows.map((row) => hydrate(ImapAccount, row, 'i') as LeasedImap);
  }

  async renew(held: readonly HeldImap[]): Promise<Map<string, RenewedImap>> {
    if (held.length === 0) return new Map();
    const ages = held.map(({ lastResponseAgoMs }) => (lastResponseAgoMs === null ? null : lastResponseAgoMs / 1000));
    const values = [held.map(({ id }) => id), held.map(({ lease }) => lease), ages];
    const rows = await this.database.system().rows<RenewedImap & { id: string }>(RENEW_LEASES, values);
    return new Map(rows.map(({ id, ...renewed }) => [id, renewed]));
  }

  async release({ id, lease }: LeasedImap, { pauseMs, error, stuckUid }: ImapRelease): Promise<void> {
    await this.database.system().rows(RELEASE_LEASE, [id, lease, pauseMs / 1000, error, stuckUid]);
  }

  openSecret({ id, sealed, keyId }: LeasedImap): ImapSecret {
    return JSON.parse(this.box.open({ sealed, keyId }, id)) as ImapSecret;
  }

  async replaceSecret({ accountId, id, lease }: LeasedImap, secret: ImapSecret): Promise<void> {
    const { sealed, keyId } = this.box.seal(sealedText(secret), id);
    await this.database.account(accountId).rows(REPLACE_SECRET, [id, lease, sealed, keyId]);
  }
}
