import { type AccountTx, Transactions, uuidAt } from '#libs/database';
import { Arrival, Conflict, InvalidField, Mailbox, Ticket, refuseSignedForm } from '#libs/entities';
import { EventsService } from '#libs/events';
import { Conditions, ListsService, type Order, type Page, type PageRequest, byTime } from '#libs/lists';
import { addressesIn } from '#libs/mail';
import { RECORDS, requireUnchanged } from '#libs/payloads';
import { SETTINGS_TOKEN, type Settings } from '#libs/settings';
import { type RequestContext, moveMergedOut, requireManager } from '#libs/tickets';
import { Inject, Injectable } from '@nestjs/common';
import { findMailbox, lockMailbox } from './mailbox-records.js';

export interface MailboxFields {
  readonly name: string;
  readonly email: string;
  /** Defaults to true. */
  readonly repliesByMail?: boolean | undefined;
  readonly signature?: string | undefined;
  readonly authservId?: string | null | undefined;
}

/** Undefined fields stay as they are. */
export type MailboxChanges = { readonly [K in keyof MailboxFields]?: MailboxFields[K] | undefined };

const OLDEST_FIRST: Order = { name: 'created_at', descending: false, keys: byTime('m', 'created_at') };

@Injectable()
export class MailboxesService {
  constructor(
    private readonly transactions: Transactions,
    private readonly events: EventsService,
    private readonly lists: ListsService,
    @Inject(SETTINGS_TOKEN) private readonly settings: Pick<Settings, 'MAIL_FROM'>,
  ) {}

  /** Round trips: 3. */
  list(context: RequestContext, request: PageRequest): Promise<Page<Mailbox>> {
    const listing = { from: 'mailboxes m', id: 'm.id', conditions: Conditions.forAccount('m'), order: OLDEST_FIRST };
    return this.lists.page(context, listing, request, (account, ids) => account.repository(Mailbox).findByIds(ids));
  }

  read(context: RequestContext, nameOrId: string): Promise<Mailbox> {
    return findMailbox(this.transactions.account(context), nameOrId);
  }

  create(context: RequestContext, wanted: MailboxFields): Promise<Mailbox> {
    requireManager(context);
    this.refuseReserved(wanted.email);
    return this.transactions.run(context, async (tx, now) => {
      const { repliesByMail = true, signature = '' } = wanted;
      const made = { id: uuidAt(now), repliesByMail, signature, emailSince: now, createdAt: now, updatedAt: now };
      const mailbox = Object.assign(new Mailbox(), wanted, made);
      await tx.repository(Mailbox).insert(mailbox);
      await this.events.recordActivity(tx, context, 'mailbox_created', { subject: mailbox.name });
      return mailbox;
    });
  }

  change(context: RequestContext, nameOrId: string, fields: MailboxChanges): Promise<Mailbox> {
    requireManager(context);
    return this.transactions.run(context, async (tx, now) => {
      const mailbox = await this.lock(tx, context, nameOrId);
      const { email = mailbox.email } = fields;
      if (email !== mailbox.email) this.refuseReserved(email);
      const given = Object.entries(fields).filter(([, value]) => value !== undefined);
      const since = email === mailbox.email ? {} : { emailSince: now };
      const changes: Partial<Mailbox> = { ...Object.fromEntries(given), ...since, updatedAt: now };
      await tx.repository(Mailbox).update({ id: mailbox.id }, changes);
      Object.assign(mailbox, changes);
      await this.events.recordActivity(tx, context, 'mailbox_changed', { subject: mailbox.name });
      return mailbox;
    });
  }

  /** Refused with tickets or emails, and for the last mailbox, since every ticket needs one. */
  remove(context: RequestContext, nameOrId: string): Promise<void> {
    requireManager(context);
    return this.transactions.run(context, async (tx) => {
      // Two transactions could delete the last two mailboxes concurrently.
      await tx.repository(Mailbox).lockAll();
      const mailbox = await this.lock(tx, context, nameOrId);
      const { id } = mailbox;
      const arrivals = tx.repository(Arrival);
      moveMergedOut(tx, id);
      if (await tx.repository(Ticket).exists({ mailboxId: id }))
        throw new Conflict('mailbox_in_use', 'This mailbox has tickets. Move them first.');
      // They would be deleted with the mailbox.
      for (const state of ['waiting', 'quarantined'] as const)
        if (await arrivals.exists({ mailboxId: id, state }))
          throw new Conflict(
            'mailbox_in_use',
            'This mailbox has waiting or quarantined emails. Accept or discard them first.',
          );
      if ((await tx.repository(Mailbox).count()) === 1)
        throw new Conflict('last_mailbox', 'An account needs at least one mailbox.');
      await tx.repository(Mailbox).delete({ id });
      await this.events.recordActivity(tx, context, 'mailbox_deleted', { subject: mailbox.name });
    });
  }

  /**
   * The installation’s own mails contain sign-in links. An account whose mailbox has that address would receive their
   * bounces.
   */
  private refuseReserved(email: string): void {
    refuseSignedForm(email);
    if (addressesIn(this.settings.MAIL_FROM).some(({ address }) => address.toLowerCase() === email.toLowerCase()))
      throw new InvalidField(
        'email',
        'reserved_address',
        `${email} is the sender of the installation’s own mail. Ask its operator to create this mailbox.`,
      );
  }

  private async lock(tx: AccountTx, context: RequestContext, nameOrId: string): Promise<Mailbox> {
    const mailbox = await lockMailbox(tx, nameOrId);
    requireUnchanged(context, () => [{ mailbox: RECORDS.Mailbox(mailbox, this.events.links) }]);
    return mailbox;
  }
}
