import { type AccountTx, uuidAt } from '#libs/database';
import { Conflict, Mailbox, NotFound, Ticket } from '#libs/entities';
import { Conditions, Lists, type Order, type Page, type PageRequest } from '#libs/lists';
import { Links, mailboxPayload } from '#libs/payloads';
import { Injectable } from '@nestjs/common';
import { type Acting, requireManager, requireUnchanged } from './acting.js';
import { Events } from './events.js';
import { findMailbox, loadMailboxes, lockAllMailboxes, lockMailbox } from './mailbox.rows.js';
import { Transactions } from './transactions.js';

export interface MailboxFields {
  readonly name: string;
  readonly email: string;
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
    private readonly transactions: Transactions,
    private readonly events: Events,
    private readonly lists: Lists,
    private readonly links: Links,
  ) {}

  /** Round trips: 3. */
  list(acting: Acting, request: PageRequest): Promise<Page<Mailbox>> {
    const listing = { from: 'mailboxes m', id: 'm.id', conditions: Conditions.within('m'), order: OLDEST_FIRST };
    return this.lists.page(acting, listing, request, loadMailboxes);
  }

  async read(acting: Acting, name: string): Promise<Mailbox> {
    return known(await findMailbox(this.transactions.account(acting), name));
  }

  create(acting: Acting, wanted: MailboxFields): Promise<Mailbox> {
    requireManager(acting);
    return this.transactions.run(acting, async (tx, now) => {
      const mailbox = Object.assign(new Mailbox(), { ...wanted, id: uuidAt(now), createdAt: now, updatedAt: now });
      await tx.table(Mailbox).insert(mailbox);
      await this.events.note(tx, acting, 'mailbox_created', toldOf(mailbox));
      return mailbox;
    });
  }

  change(
    acting: Acting,
    name: string,
    fields: { readonly [K in keyof MailboxFields]?: MailboxFields[K] | undefined },
  ): Promise<Mailbox> {
    requireManager(acting);
    return this.transactions.run(acting, async (tx, now) => {
      const mailbox = await this.lock(tx, acting, name);
      const { name: newName = mailbox.name, email = mailbox.email } = fields;
      Object.assign(mailbox, { name: newName, email, updatedAt: now });
      await tx.table(Mailbox).update({ id: mailbox.id }, { name: newName, email, updatedAt: now });
      await this.events.note(tx, acting, 'mailbox_changed', toldOf(mailbox));
      return mailbox;
    });
  }

  /** Refused while tickets are in it, and for the last one: every ticket is in a mailbox. */
  remove(acting: Acting, name: string): Promise<void> {
    requireManager(acting);
    return this.transactions.run(acting, async (tx) => {
      await lockAllMailboxes(tx);
      const mailbox = await this.lock(tx, acting, name);
      if (await tx.table(Ticket).findOne({ mailboxId: mailbox.id }))
        throw new Conflict('mailbox_in_use', 'There are tickets in this mailbox. Move them first.');
      if ((await tx.table(Mailbox).count()) === 1)
        throw new Conflict('last_mailbox', 'This is the account’s last mailbox.');
      await tx.table(Mailbox).delete({ id: mailbox.id });
      await this.events.note(tx, acting, 'mailbox_deleted', toldOf(mailbox));
    });
  }

  private async lock(tx: AccountTx, acting: Acting, name: string): Promise<Mailbox> {
    const mailbox = known(await lockMailbox(tx, name));
    requireUnchanged(acting, () => [{ mailbox: mailboxPayload(mailbox, this.links) }]);
    return mailbox;
  }
}

const toldOf = (mailbox: Mailbox) => ({ ticketId: null, subject: mailbox.name, detail: {} });

function known(mailbox: Mailbox | null): Mailbox {
  if (!mailbox) throw new NotFound('mailbox');
  return mailbox;
}
