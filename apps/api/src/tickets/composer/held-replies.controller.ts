import { DomainError } from '#libs/entities';
import { HeldRepliesService } from '#libs/tickets';
import { Controller, Param, Post } from '@nestjs/common';
import { type PageResponse, redirectWithNotice } from '../../ui/page-response.js';
import { ConsolePages } from '../../shell/console-pages.decorator.js';
import { ticketPath } from '../../shell/inbox-query.js';
import { TicketOnPage } from '../inbox/ticket-on-page.decorator.js';

const BECAME = {
  draft: 'It is your draft again.',
  note: 'It is in front of the note that you are writing, which stays a note.',
};

/** Takes back a reply that waits. */
@Controller('tickets/:number/replies/:id/undo')
@ConsolePages()
export class HeldRepliesController {
  constructor(private readonly heldReplies: HeldRepliesService) {}

  @Post()
  async undo(@TicketOnPage() { context, number, back }: TicketOnPage, @Param('id') id: string): Promise<PageResponse> {
    const path = ticketPath(number, back);
    try {
      const became = await this.heldReplies.undo(context, number, id);
      return redirectWithNotice(path, `Reply to #${number} not sent. ${BECAME[became]}`);
    } catch (error) {
      if (error instanceof DomainError && error.code === 'not_held')
        return redirectWithNotice(path, error.message, 'bad');
      throw error;
    }
  }
}
