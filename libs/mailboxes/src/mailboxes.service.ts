import { type AccountTx, Transactions, uuidAt } from '#libs/database';
import { Conflict, Mailbox, NotFound } from '#libs/entities';
import { EventsService } from '#libs/events';
import { Conditions, ListsService, type Order, type Page, type PageRequest } from '#libs/lists';
import { Links, RECORDS } from '#libs/payloads';
import { type RequestContext, requireManager, requireUnchanged } from '#libs/tickets';
import { Injectable } from '@nestjs/common';
import { MailboxesRepository } from './mailboxes.repository.js';

export interface MailboxFields {
  readonly name: string;
  readonly email: string;
  /** Defaults to true. */
  readonly repliesByMail?: boolean | undefined;
  readonly signature?: string | undefined;
  readonly authservId?: string | null | undefined;
}

const OLDEST_FIRST: Order = {
  name: 'created_at',
  descending: false,
  keys: [
    { column: 'm.created_at', type: 'timestamptz' },
    { column: 'm.id', type: 'uuid' },
  ],
};

@Injectable()
export class MailboxesService {
  constructor(
    private readonly mailboxes: MailboxesRepository,
    private readonly transactions: Transactions,
    private readonly events: EventsService,
    private readonly lists: ListsService,
    private readonly links: Links,
  ) {}

  /** Round trips: 3. */
  list(context: RequestContext, request: PageRequest): Promise<Page<Mailbox>> {
    const listing = { from: 'mailboxes m', id: 'm.id', conditions: Conditions.forAccount('m'), order: OLDEST_FIRST };
    return this.lists.page(context, listing, request, (account, ids) => this.mailboxes.load(account, ids));
  }

  async read(context: RequestContext, name: string): Promise<Mailbox> {
    return known(await this.mailboxes.find(this.transactions.account(context), name));
  }

  create(context: RequestContext, wanted: MailboxFields): Promise<Mailbox> {
    requireManager(context);
    return this.transactions.run(context, async (tx, now) => {
      const { repliesByMail = true, signature = '' } = wanted;
      const made = { id: uuidAt(now), repliesByMail, signature, emailSince: now, createdAt: now, updatedAt: now };
      const mailbox = Object.assign(new Mailbox(), wanted, made);
      await this.mailboxes.insert(tx, mailbox);
      await this.events.recordActivity(tx, context, 'mailbox_created', describeMailboxActivity(mailbox));
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
      if (email !== mailbox.email) mailbox.emailSince = now;
      const changes = Object.entries(fields).filter(([, value]) => value !== undefined);
      Object.assign(mailbox, Object.fromEntries(changes), { updatedAt: now });
      await this.mailboxes.save(tx, mailbox);
      await this.events.recordActivity(tx, context, 'mailbox_changed', describeMailboxActivity(mailbox));
      return mailbox;
    });
  }

  /** Refused with tickets or mails, and for the last mailbox, since every ticket needs one. */
  remove(context: RequestContext, name: string): Promise<void> {
    requireManager(context);
    return this.transactions.run(context, async (tx) => {
      await this.mailboxes.lockAll(tx);
      const mailbox = await this.lock(tx, context, name);
      if (await this.mailboxes.hasTickets(tx, mailbox))
        throw new Conflict('mailbox_in_use', 'There are tickets in this mailbox. Move them first.');
      if (await this.mailboxes.hasMails(tx, mailbox))
        throw new Conflict('mailbox_in_use', 'Mails for this mailbox wait or are held. Accept or discard them first.');
      if (await this.mailboxes.isLast(tx)) throw new Conflict('last_mailbox', 'This is the account’s last mailbox.');
      await this.mailboxes.delete(tx, mailbox);
      await this.events.recordActivity(tx, context, 'mailbox_deleted', describeMailboxActivity(mailbox));
    });
  }

  private async lock(tx: AccountTx, context: RequestContext, name: string): Promise<Mailbox> {
    const mailbox = known(await this.mailboxes.lock(tx, name));
    requireUnchanged(context, () => [{ mailbox: RECORDS.Mailbox(mailbox, this.links) }]);
    return mailbox;
  }
}

const describeMailboxActivity = (mailbox: Mailbox) => ({ ticketId: null, subject: mailbox.name, detail: {} });

function known(mailbox: Mailbox | null): Mailbox {
  if (!mailbox) throw new NotFound('mailbox');
  return mailbox;
}
