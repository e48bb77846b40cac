import { type AccountTx, Transactions } from '#libs/database';
import { InvalidField, Mailbox, MailboxSmtp, existing } from '#libs/entities';
import { EventsService } from '#libs/events';
import { RECORDS, requireUnchanged } from '#libs/payloads';
import { SecretBox } from '#libs/secret-box';
import { type RequestContext, requireManager } from '#libs/tickets';
import { Injectable } from '@nestjs/common';
import { findMailbox, lockMailbox } from './mailbox-records.js';

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
    private readonly box: SecretBox,
  ) {}

  async read(context: RequestContext, nameOrId: string): Promise<MailboxSmtp> {
    return existing(await this.find(context, nameOrId), 'smtp');
  }

  /** Null: the mailbox uses the installation’s server. */
  async find(context: RequestContext, nameOrId: string): Promise<MailboxSmtp | null> {
    requireManager(context);
    const account = this.transactions.account(context);
    const { id } = await findMailbox(account, nameOrId);
    return account.repository(MailboxSmtp).findOne({ id });
  }

  set(context: RequestContext, nameOrId: string, fields: SmtpFields): Promise<MailboxSmtp> {
    requireManager(context);
    return this.transactions.run(context, async (tx, now) => {
      const { mailbox, smtp: before } = await this.lock(tx, context, nameOrId);
      const { host, port, security, username } = fields;
      refuse(fields, before);
      const secret = this.secretOf(mailbox, fields, before);
      const smtp = Object.assign(new MailboxSmtp(), { host, port, security, username, ...secret, updatedAt: now });
      const rows = tx.repository(MailboxSmtp);
      if (before) await rows.update({ id: mailbox.id }, smtp);
      else await rows.insert(Object.assign(smtp, { id: mailbox.id, createdAt: now }));
      await tx.repository(Mailbox).update({ id: mailbox.id }, { hasSmtp: true });
      await this.events.recordActivity(tx, context, 'mailbox_smtp_changed', {
        subject: mailbox.name,
        detail: { host },
      });
      return Object.assign(smtp, { createdAt: before?.createdAt ?? now });
    });
  }

  remove(context: RequestContext, nameOrId: string): Promise<void> {
    requireManager(context);
    return this.transactions.run(context, async (tx) => {
      const { mailbox, smtp } = await this.lock(tx, context, nameOrId);
      const { id } = existing(smtp, 'smtp');
      await tx.repository(MailboxSmtp).delete({ id });
      await tx.repository(Mailbox).update({ id }, { hasSmtp: false });
      await this.events.recordActivity(tx, context, 'mailbox_smtp_deleted', { subject: mailbox.name });
    });
  }

  private async lock(tx: AccountTx, context: RequestContext, nameOrId: string) {
    const mailbox = await lockMailbox(tx, nameOrId);
    const smtp = await tx.repository(MailboxSmtp).findOne({ id: mailbox.id });
    requireUnchanged(context, () => (smtp ? [{ smtp: RECORDS.MailboxSmtp(smtp, this.events.links) }] : []));
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
