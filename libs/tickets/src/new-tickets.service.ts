import { type AccountTx, Transactions } from '#libs/database';
import type { Attachment, Ticket } from '#libs/entities';
import { EventsService, describeTicketActivity } from '#libs/events';
import { Injectable } from '@nestjs/common';
import { addAttachments } from './attachments/attachment.statements.js';
import { BodyRenderer } from './bodies/body-renderer.js';
import { refuseFuture } from './messages/new-message.js';
import type { NewTicket } from './new-ticket.js';
import { insertTicket, resolveReferences } from './new-ticket.statements.js';
import { acceptCc, refuseCcOfNote } from './recipients/copy-recipients.statements.js';
import { CustomerMailsService } from './recipients/customer-mails.service.js';
import { type RequestContext, refuseImpersonation } from './request-context.js';
import { NEXT_NUMBER } from './ticket.statements.js';

interface FirstFiles {
  readonly ticket: Ticket;
  readonly messageId: string;
  readonly received: readonly Attachment[];
  readonly now: Date;
}

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
    const { number } = (await account.row<{ number: number }>(NEXT_NUMBER))!;
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
      await this.addFiles(tx, context, { ticket, messageId, received, now });
      await this.events.record(tx, context, ...(added ? [['customer_added', customer] as const] : []), [
        'ticket_started',
        ticket,
      ]);
      return ticket;
    });
  }

  private async addFiles(
    tx: AccountTx,
    context: RequestContext,
    { ticket, messageId, received, now }: FirstFiles,
  ): Promise<void> {
    if (received.length === 0) return;
    for (const file of received) Object.assign(file, { messageId, createdAt: now });
    await addAttachments(tx, { id: messageId }, received, now);
    const description = describeTicketActivity(ticket, { message: messageId });
    await this.events.recordActivity(tx, context, 'files_attached', description);
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
