import { DomainError } from '#libs/entities';
import { CustomerMailsService } from '#libs/tickets';
import { Controller, Param, Post } from '@nestjs/common';
import { type PageResponse, redirectWithNotice } from '../../ui/page-response.js';
import { ConsolePages } from '../../shell/console-pages.decorator.js';
import { ticketPath } from '../../shell/inbox-query.js';
import { TicketOnPage } from './ticket-on-page.decorator.js';

/** Sends a mail again that was not sent, or of which nobody knows. */
@Controller('tickets/:number/messages/:id/send-again')
@ConsolePages()
export class MailsController {
  constructor(private readonly mails: CustomerMailsService) {}

  @Post()
  async sendAgain(
    @TicketOnPage() { context, number, back }: TicketOnPage,
    @Param('id') id: string,
  ): Promise<PageResponse> {
    const path = ticketPath(number, back);
    try {
      await this.mails.sendAgain(context, id);
      return redirectWithNotice(path, 'It is being mailed again.');
    } catch (error) {
      if (error instanceof DomainError && error.code === 'not_sent_again')
        return redirectWithNotice(path, error.message, 'bad');
      throw error;
    }
  }
}
