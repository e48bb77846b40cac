import { OutgoingMailsService } from '#libs/mailboxes';
import { CustomerMailsService } from '#libs/tickets';
import { Body, Get, Param, Post } from '@nestjs/common';
import { IdentifierPipe } from '../layers/edge/path-parameter.pipes.js';
import { FormFields } from '../layers/ui/form-fields.js';
import { type PageContent, type PageResponse, redirectWithNotice } from '../layers/ui/page-response.js';
import { Me } from '../layers/sign-in/me.decorator.js';
import { actingOf } from '../layers/shell/acting.js';
import { submitForm } from '../layers/shell/form-submission.js';
import { ConsolePages } from '../layers/shell/console-pages.decorator.js';
import { OutgoingMailsPage } from './outgoing-mails.page.js';

const PATH = '/settings/outgoing-mail';

@ConsolePages(PATH, 'managers', { group: 'Email', label: 'Outgoing mail', icon: 'mail' })
export class OutgoingMailsController {
  constructor(
    private readonly mails: OutgoingMailsService,
    private readonly customerMails: CustomerMailsService,
  ) {}

  @Get()
  async list(@Me() me: Me): Promise<PageContent> {
    const mails = await this.mails.list(actingOf(me));
    return { view: <OutgoingMailsPage mails={mails} route={this.customerMails.route} /> };
  }

  /** Only possible in a trial. */
  @Post(':id/answer')
  answer(
    @Me() me: Me,
    @Param('id', new IdentifierPipe('mail')) id: string,
    @Body() body: unknown,
  ): Promise<PageResponse> {
    return submitForm({ again: () => this.list(me) }, async () => {
      await this.mails.answerAsCustomer(actingOf(me), id, new FormFields(body).text('text'));
      return redirectWithNotice(PATH, 'Reply received. It will appear in the ticket shortly.');
    });
  }
}
