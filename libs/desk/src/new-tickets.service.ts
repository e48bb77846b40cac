import { Transactions, accountStatement } from '#libs/database';
import type { Ticket } from '#libs/entities';
import { EventsService } from '#libs/events';
import { Injectable } from '@nestjs/common';
import { BodyRenderer } from './bodies/body-renderer.js';
import { CustomerCopiesService } from './customer-copies.service.js';
import { type NewTicket, resolveReferences, insertTicket } from './new-ticket.js';
import { type RequestContext, refuseImpersonation } from './request-context.js';
import { refuseFuture } from './sent-at.js';

/**
 * Committed by itself, so that two tickets of one account do not wait for each other's transaction, and without
 * waiting for the disk: the ticket's own commit flushes everything before it, so no ticket outlives its number.
 */
const NEXT_NUMBER = accountStatement(
  'ticket_next_number',
  `with quick as (select set_config('synchronous_commit', 'off', true))
   update accounts set last_ticket_number = last_ticket_number + 1 from quick where id = $1
   returning last_ticket_number as number`,
);

@Injectable()
export class NewTicketsService {
  constructor(
    private readonly transactions: Transactions,
    private readonly events: EventsService,
    private readonly copies: CustomerCopiesService,
    private readonly bodies: BodyRenderer,
  ) {}

  /** Round trips: who and where 1, number 1, BEGIN and everything 1, a copy to be sent, events and COMMIT 1. */
  async create(context: RequestContext, wanted: NewTicket): Promise<Ticket> {
    const account = this.transactions.account(context);
    const references = await resolveReferences(account, context.agentId, wanted);
    refuseImpersonation(context, references.author);
    const rendered = await this.bodies.render(context.accountId, wanted.body);
    const { number } = (await account.row<{ number: number }>(NEXT_NUMBER))!;
    return this.transactions.run(context, async (tx, now) => {
      refuseFuture(wanted.sentAt, now);
      const { ticket, customer, added, messageId } = await insertTicket(tx, {
        wanted,
        rendered,
        references,
        number,
        now,
      });
      await this.copies.owe(tx, { wanted, references, messageId }, now);
      await this.events.record(tx, context, ...(added ? [['customer_added', customer] as const] : []), [
        'ticket_started',
        ticket,
      ]);
      return ticket;
    });
  }
}
