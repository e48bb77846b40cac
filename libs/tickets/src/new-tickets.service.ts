import { type AccountTx, Transactions } from '#libs/database';
import type { Attachment, Ticket } from '#libs/entities';
import { EventsService } from '#libs/events';
import { Injectable } from '@nestjs/common';
import { attachFiles } from './attachments/attachment.statements.js';
import { BodyRenderer } from './bodies/body-renderer.js';
import { refuseFuture } from './messages/new-message.js';
import type { NewTicket } from './new-ticket.js';
import { insertTicket, resolveReferences } from './new-ticket.statements.js';
import { acceptCc, refuseCcOfNote } from './recipients/copy-recipients.statements.js';
import { CustomerMailsService } from './recipients/customer-mails.service.js';
import { type RequestContext, refuseImpersonation } from './request-context.js';
import { NEXT_TICKET_NUMBER } from './ticket.statements.js';

@Injectable()
export class NewTicketsService {
  constructor(
    private readonly transactions: Transactions,
    private readonly events: EventsService,
    private readonly mails: CustomerMailsService,
    private readonly bodies: BodyRenderer,
  ) {}

  /** Round trips: references 1, number 1, ticket 1, events and COMMIT 1. */
  async create(context: RequestContext, given: NewTicket, received: readonly Attachment[] = []): Promise<Ticket> {
    const account = this.transactions.account(context);
    const references = await resolveReferences(account, context.agentId, given);
    refuseImpersonation(context, references.author);
    const rendered = await this.bodies.render(context.accountId, given.body);
    const { number } = (await account.row<{ number: number }>(NEXT_TICKET_NUMBER))!;
    return this.transactions.run(context, async (tx, now) => {
      refuseFuture(given.sentAt, now);
      const wanted = { ...given, ccAddresses: await ccOf(tx, given, references.author !== null) };
      const { ticket, customer, added, messageId } = await insertTicket(tx, {
        wanted,
        rendered,
        references,
        number,
        now,
      });
      this.mails.oweFirst(tx, { wanted, author: references.author, ticket, messageId }, now);
      if (received.length > 0) {
        const message = { id: messageId, ticketId: ticket.id, ticketNumber: ticket.number };
        await this.events.recordActivity(tx, context, 'files_attached', await attachFiles(tx, message, received, now));
      }
      await this.events.record(tx, context, ...(added ? [['customer_added', customer] as const] : []), [
        'ticket_started',
        ticket,
      ]);
      return ticket;
    });
  }
}

async function ccOf(
  tx: AccountTx,
  { ccAddresses = [], from, to, note }: NewTicket,
  isByAgent: boolean,
): Promise<readonly string[]> {
  if (note) refuseCcOfNote(ccAddresses);
  return acceptCc(tx, ccAddresses, (isByAgent ? to : from).email);
}
