import { type AccountTx, Transactions, uuidAt } from '#libs/database';
import {
  Arrival,
  Conflict,
  InvalidField,
  Mailbox,
  MailboxSmtp,
  Ticket,
  refuseSignedForm,
  existing,
} from '#libs/entities';
import { EventsService } from '#libs/events';
import { Conditions, ListsService, type Order, type Page, type PageRequest, byTime } from '#libs/lists';
import { addressesIn } from '#libs/mail';
import { Links, RECORDS } from '#libs/payloads';
import { SecretBox } from '#libs/secret-box';
import { SETTINGS_TOKEN, type Settings } from '#libs/settings';
import { type RequestContext, requireManager, requireUnchanged } from '#libs/tickets';
import { Inject, Injectable } from '@nestjs/common';
import { findMailbox, lockMailbox, mailboxActivity } from './mailbox-records.js';

export interface MailboxFields {
  readonly name: string;
  readonly email: string;
  /** Defaults to true. */
  readonly repliesByMail?: boolean | undefined;
  readonly signature?: string | undefined;
  readonly authservId?: string | null | undefined;
}

const OLDEST_FIRST: Order = { name: 'created_at', descending: false, keys: byTime('m', 'created_at') };

@Injectable()
export class MailboxesService {
  constructor(
    private readonly transactions: Transactions,
    private readonly events: EventsService,
    private readonly lists: ListsService,
    private readonly links: Links,
    @Inject(SETTINGS_TOKEN) private readonly settings: Pick<Settings, 'MAIL_FROM'>,
  ) {}

  /** Round trips: 3. */
  list(context: RequestContext, request: PageRequest): Promise<Page<Mailbox>> {
    const listing = { from: 'mailboxes m', id: 'm.id', conditions: Conditions.forAccount('m'), order: OLDEST_FIRST };
    return this.lists.page(context, listing, request, (account, ids) => account.repository(Mailbox).findByIds(ids));
  }

  read(context: RequestContext, name: string): Promise<Mailbox> {
    return findMailbox(this.transactions.account(context), name);
  }

  create(context: RequestContext, wanted: MailboxFields): Promise<Mailbox> {
    requireManager(context);
    this.refuseReserved(wanted.email);
    return this.transactions.run(context, async (tx, now) => {
      const { repliesByMail = true, signature = '' } = wanted;
      const made = { id: uuidAt(now), repliesByMail, signature, emailSince: now, createdAt: now, updatedAt: now };
      const mailbox = Object.assign(new Mailbox(), wanted, made);
      await tx.repository(Mailbox).insert(mailbox);
      await this.events.recordActivity(tx, context, 'mailbox_created', mailboxActivity(mailbox));
      return mailbox;
    });
  }

  change(
    context: RequestContext,
    name: string,
    fields: { readonly [K in keyof MailboxFields]?: MailboxFields[K] | undefined },
  ): Promise<Mailbox> {
    requireManager(context);
    return this.transactions.run(context, async (tx, now) => {
      const mailbox = await this.lock(tx, context, name);
      const { email = mailbox.email } = fields;
      if (email !== mailbox.email) this.refuseReserved(email);
      const given = Object.entries(fields).filter(([, value]) => value !== undefined);
      const since = email === mailbox.email ? {} : { emailSince: now };
      const changes: Partial<Mailbox> = { ...Object.fromEntries(given), ...since, updatedAt: now };
      await tx.repository(Mailbox).update({ id: mailbox.id }, changes);
      Object.assign(mailbox, changes);
      await this.events.recordActivity(tx, context, 'mailbox_changed', mailboxActivity(mailbox));
      return mailbox;
    });
  }

  /** Refused with tickets or mails, and for the last mailbox, since every ticket needs one. */
  remove(context: RequestContext, name: string): Promise<void> {
    requireManager(context);
    return this.transactions.run(context, async (tx) => {
      // Two transactions could delete the last two mailboxes concurrently.
      await tx.repository(Mailbox).lockAll();
      const mailbox = await this.lock(tx, context, name);
      const { id } = mailbox;
      const arrivals = tx.repository(Arrival);
      if (await tx.repository(Ticket).exists({ mailboxId: id }))
        throw new Conflict('mailbox_in_use', 'There are tickets in this mailbox. Move them first.');
      // They would be deleted with the mailbox.
      for (const state of ['waiting', 'quarantined'] as const)
        if (await arrivals.exists({ mailboxId: id, state }))
          throw new Conflict(
            'mailbox_in_use',
            'Mails for this mailbox wait or are in quarantine. Release or discard them first.',
          );
      if ((await tx.repository(Mailbox).count()) === 1)
        throw new Conflict('last_mailbox', 'This is the account’s last mailbox.');
      await tx.repository(Mailbox).delete({ id });
      await this.events.recordActivity(tx, context, 'mailbox_deleted', mailboxActivity(mailbox));
    });
  }

  /** Mail that the installation sends itself has links, and another account could read them in bounces. */
  private refuseReserved(email: string): void {
    refuseSignedForm(email);
    if (addressesIn(this.settings.MAIL_FROM).some(({ address }) => address.toLowerCase() === email.toLowerCase()))
      throw new InvalidField(
        'email',
        'reserved_address',
        `${email} is the sender of the installation’s own mail. Ask its operator to make this mailbox.`,
      );
  }

  private async lock(tx: AccountTx, context: RequestContext, name: string): Promise<Mailbox> {
    const mailbox = await lockMailbox(tx, name);
    requireUnchanged(context, () => [{ mailbox: RECORDS.Mailbox(mailbox, this.links) }]);
    return mailbox;
  }
}

export interface SmtpFields extends Pick<MailboxSmtp, 'host' | 'port' | 'security' | 'username'> {
  /** Undefined keeps the password. */
  readonly password: string | undefined;
}

/** Passwords are write-only. */
@Injectable()
export class MailboxSmtpService {
  constructor(
    private readonly transactions: Transactions,
    private readonly events: EventsService,
    private readonly links: Links,
    private readonly box: SecretBox,
  ) {}

  async read(context: RequestContext, name: string): Promise<MailboxSmtp> {
    return existing(await this.find(context, name), 'smtp');
  }

  /** Null: the mailbox uses the installation’s server. */
  async find(context: RequestContext, name: string): Promise<MailboxSmtp | null> {
    requireManager(context);
    const account = this.transactions.account(context);
    const { id } = await findMailbox(account, name);
    return account.repository(MailboxSmtp).findOne({ id });
  }

  set(context: RequestContext, name: string, fields: SmtpFields): Promise<MailboxSmtp> {
    requireManager(context);
    return this.transactions.run(context, async (tx, now) => {
      const { mailbox, smtp: before } = await this.lock(tx, context, name);
      const { host, port, security, username } = fields;
      refuse(fields, before);
      const secret = this.secretOf(mailbox, fields, before);
      const smtp = Object.assign(new MailboxSmtp(), { host, port, security, username, ...secret, updatedAt: now });
      const rows = tx.repository(MailboxSmtp);
      if (before) await rows.update({ id: mailbox.id }, smtp);
      else await rows.insert(Object.assign(smtp, { id: mailbox.id, createdAt: now }));
      await tx.repository(Mailbox).update({ id: mailbox.id }, { hasSmtp: true });
      await this.events.recordActivity(tx, context, 'mailbox_smtp_changed', mailboxActivity(mailbox, { host }));
      return Object.assign(smtp, { createdAt: before?.createdAt ?? now });
    });
  }

  remove(context: RequestContext, name: string): Promise<void> {
    requireManager(context);
    return this.transactions.run(context, async (tx) => {
      const { mailbox, smtp } = await this.lock(tx, context, name);
      const { id } = existing(smtp, 'smtp');
      await tx.repository(MailboxSmtp).delete({ id });
      await tx.repository(Mailbox).update({ id }, { hasSmtp: false });
      await this.events.recordActivity(tx, context, 'mailbox_smtp_deleted', mailboxActivity(mailbox));
    });
  }

  private async lock(tx: AccountTx, context: RequestContext, name: string) {
    const mailbox = await lockMailbox(tx, name);
    const smtp = await tx.repository(MailboxSmtp).findOne({ id: mailbox.id });
    requireUnchanged(context, () => (smtp ? [{ smtp: RECORDS.MailboxSmtp(smtp, this.links) }] : []));
    return { mailbox, smtp };
  }

  private secretOf({ id }: Mailbox, { username, password }: SmtpFields, before: MailboxSmtp | null) {
    if (username === null) return { sealed: null, keyId: null };
    if (password !== undefined) return this.box.seal(password, id);
    return { sealed: before?.sealed ?? null, keyId: before?.keyId ?? null };
  }
}

/** Sent to another server, a kept password could be read by anyone who may edit the mailbox. */
function refuse(fields: SmtpFields, before: MailboxSmtp | null): void {
  const { security, username, password } = fields;
  if (username === null) {
    if (password !== undefined) throw new InvalidField('username', 'required', 'a password belongs to a user');
    return;
  }
  if (security === 'none')
    throw new InvalidField('security', 'unencrypted', 'the password would travel unencrypted: choose tls or starttls');
  const isSame = before?.sealed && SERVER_FIELDS.every((field) => before[field] === fields[field]);
  if (password === undefined && !isSame)
    throw new InvalidField('password', 'required', 'the password is needed again for another server or user');
}

const SERVER_FIELDS = ['host', 'port', 'security', 'username'] as const;
