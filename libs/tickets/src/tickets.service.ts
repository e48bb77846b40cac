import { type AccountTx, Transactions } from '#libs/database';
import type { Attachment, Ticket } from '#libs/entities';
import { EventsService } from '#libs/events';
import type { Page } from '#libs/lists';
import { Injectable } from '@nestjs/common';
import { attachFiles } from './attachments/attachment.statements.js';
import { BodyRenderer } from './bodies/body-renderer.js';
import { type FolderCounts, TicketListsService, type TicketQuery } from './lists/ticket-lists.service.js';
import { refuseFuture } from './messages/new-message.js';
import type { NewTicket } from './new-ticket.js';
import { insertTicket, resolveReferences } from './new-ticket.statements.js';
import { acceptCc, refuseCcOfNote } from './recipients/copy-recipients.statements.js';
import { CustomerMailsService } from './recipients/customer-mails.service.js';
import { type RequestContext, refuseImpersonation } from './request-context.js';
import {
  type ListedTicket,
  NEXT_TICKET_NUMBER,
  type OtherTicket,
  readOthers,
  readTicket,
} from './ticket.statements.js';

@Injectable()
export class TicketsService {
  constructor(
    private readonly transactions: Transactions,
    private readonly events: EventsService,
    private readonly lists: TicketListsService,
    private readonly mails: CustomerMailsService,
    private readonly bodies: BodyRenderer,
  ) {}

  list(context: RequestContext, query: TicketQuery): Promise<Page<ListedTicket>> {
    return this.lists.page(context, query);
  }

  count(context: RequestContext, mailbox?: string): Promise<FolderCounts> {
    return this.lists.countFolders(context, mailbox);
  }

  /** Includes deleted tickets until they are purged. */
  read(context: RequestContext, number: number): Promise<Ticket> {
    return readTicket(this.transactions.account(context), number);
  }

  othersOf(context: RequestContext, ticket: Ticket): Promise<OtherTicket[]> {
    return readOthers(this.transactions.account(context), ticket);
  }

  /** Round trips: references 1, number 1, ticket 1, events and COMMIT 1. */
  async create(context: RequestContext, given: NewTicket, received: readonly Attachment[] = []): Promise<Ticket> {
    const account = this.transactions.account(context);
    const references = await resolveReferences(account, context.agentId, given);
    const { author } = references;
    refuseImpersonation(context, author);
    const rendered = await this.bodies.render(context.accountId, given.body);
    const { number } = (await account.row<{ number: number }>(NEXT_TICKET_NUMBER))!;
    return this.transactions.run(context, async (tx, now) => {
      refuseFuture(given.sentAt, now);
      const wanted = { ...given, ccAddresses: await ccOf(tx, given, author !== null) };
      const draft = { wanted, rendered, references, number, now };
      const { ticket, customer, added, messageId } = await insertTicket(tx, draft);
      if (author) this.mails.oweFirst(tx, wanted, { ticket, messageId }, now);
      if (received.length > 0) {
        const message = { id: messageId, ticketId: ticket.id, ticketNumber: number };
        await this.events.recordActivity(tx, context, 'files_attached', await attachFiles(tx, message, received, now));
      }
      const before = added ? [['customer_added', customer] as const] : [];
      await this.events.record(tx, context, ...before, ['ticket_started', ticket]);
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
