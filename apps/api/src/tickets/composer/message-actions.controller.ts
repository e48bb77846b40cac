import { DomainError } from '#libs/entities';
import { CustomerMailsService, ScheduledRepliesService } from '#libs/tickets';
import { Controller, Param, Post } from '@nestjs/common';
import { ConsolePages } from '../../shell/console-pages.decorator.js';
import { ticketPath } from '../../shell/inbox-query.js';
import { type PageResponse, redirectWithNotice } from '../../ui/page-response.js';
import { TicketOnPage } from '../inbox/ticket-on-page.decorator.js';

const UNDONE = {
  draft: 'It is your draft again.',
  note: 'It was inserted above the note that you are writing, which stays a note.',
};

@Controller('tickets/:number')
@ConsolePages()
export class MessageActionsController {
  constructor(
    private readonly heldReplies: ScheduledRepliesService,
    private readonly mails: CustomerMailsService,
  ) {}

  @Post('replies/:id/undo')
  undo(@TicketOnPage() ticket: TicketOnPage, @Param('id') id: string): Promise<PageResponse> {
    return this.perform(ticket, 'not_held', async () => {
      const became = await this.heldReplies.undo(ticket.context, ticket.number, id);
      return `Reply to #${ticket.number} not sent. ${UNDONE[became]}`;
    });
  }

  @Post('messages/:id/send-again')
  sendAgain(@TicketOnPage() ticket: TicketOnPage, @Param('id') id: string): Promise<PageResponse> {
    return this.perform(ticket, 'not_sent_again', async () => {
      await this.mails.sendAgain(ticket.context, id);
      return 'The mail is being sent again.';
    });
  }

  /** Shows the expected rejection as a notice. */
  private async perform(
    { number, back }: TicketOnPage,
    rejection: string,
    action: () => Promise<string>,
  ): Promise<PageResponse> {
    const path = ticketPath(number, back);
    try {
      return redirectWithNotice(path, await action());
    } catch (error) {
      if (error instanceof DomainError && error.code === rejection)
        return redirectWithNotice(path, error.message, 'bad');
      throw error;
    }
  }
}
