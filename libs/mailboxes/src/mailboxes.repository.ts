import type { AccountConnection, AccountTx, Repository } from '#libs/database';
import { Arrival, Mailbox, Ticket } from '#libs/entities';
import { mailboxNamed } from '#libs/tickets';
import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';

@Injectable()
export class MailboxesRepository {
  constructor(
    @InjectRepository(Mailbox) private readonly mailboxes: Repository<Mailbox>,
    @InjectRepository(Arrival) private readonly arrivals: Repository<Arrival>,
    @InjectRepository(Ticket) private readonly tickets: Repository<Ticket>,
  ) {}

  load(account: AccountConnection, ids: readonly string[]): Promise<Mailbox[]> {
    return account.repository(this.mailboxes).findByIds(ids);
  }

  /** By name, e-mail or id. */
  find(account: AccountConnection, name: string): Promise<Mailbox | null> {
    return account.repository(this.mailboxes).findOne(...mailboxNamed(name));
  }

  /** Also blocks inserts of tickets that reference it. */
  lock(tx: AccountTx, name: string): Promise<Mailbox | null> {
    return tx.repository(this.mailboxes).lock(...mailboxNamed(name));
  }

  /** Two transactions could delete the last two mailboxes concurrently. */
  lockAll(tx: AccountTx): Promise<void> {
    return tx.repository(this.mailboxes).lockAll();
  }

  insert(tx: AccountTx, mailbox: Mailbox): Promise<void> {
    return tx.repository(this.mailboxes).insert(mailbox);
  }

  async save(
    tx: AccountTx,
    { id, name, email, emailSince, repliesByMail, signature, authservId, updatedAt }: Mailbox,
  ): Promise<void> {
    await tx
      .repository(this.mailboxes)
      .update({ id }, { name, email, emailSince, repliesByMail, signature, authservId, updatedAt });
  }

  async noteSmtp(tx: AccountTx, { id }: Mailbox, hasSmtp: boolean): Promise<void> {
    await tx.repository(this.mailboxes).update({ id }, { hasSmtp });
  }

  async delete(tx: AccountTx, { id }: Mailbox): Promise<void> {
    await tx.repository(this.mailboxes).delete({ id });
  }

  async isLast(tx: AccountTx): Promise<boolean> {
    return (await tx.repository(this.mailboxes).count()) === 1;
  }

  hasTickets(tx: AccountTx, { id }: Mailbox): Promise<boolean> {
    return tx.repository(this.tickets).exists({ mailboxId: id });
  }

  /** Waiting or in quarantine: they would be deleted with the mailbox. */
  async hasMails(tx: AccountTx, { id }: Mailbox): Promise<boolean> {
    const arrivals = tx.repository(this.arrivals);
    return (
      (await arrivals.exists({ mailboxId: id, state: 'waiting' })) ||
      (await arrivals.exists({ mailboxId: id, state: 'held' }))
    );
  }
}
