import { MailboxesService } from '#libs/mailboxes';
import { CustomerMailsService } from '#libs/tickets';
import { Body, Controller, Get, Post } from '@nestjs/common';
import { CreateMailboxDto } from './mailbox.dto.js';
import { FormFields } from '../ui/form-fields.js';
import { Me } from '../sign-in/session.guard.js';
import { ConsolePages } from '../shell/console-pages.decorator.js';
import { actingOf, submitForm, validateDto } from '../shell/form-submission.js';
import { type PageResponse, type PageContent, redirectWithNotice } from '../ui/page-response.js';
import { mailboxPath } from './mailbox-paths.js';
import { MailboxesPage } from './mailboxes.page.js';

/** Bounds the page, which has no pager. The API lists the rest. */
const UNPAGED = { page: 1, perPage: 500, cursor: undefined } as const;

@Controller('/settings/mailboxes')
@ConsolePages({ audience: 'managers', navigation: { group: 'Settings', label: 'Mailboxes', icon: 'mail' } })
export class MailboxListController {
  constructor(
    private readonly mailboxes: MailboxesService,
    private readonly mails: CustomerMailsService,
  ) {}

  @Get()
  async list(@Me() me: Me): Promise<PageContent> {
    const { items } = await this.mailboxes.list(actingOf(me), UNPAGED);
    const listed = items.map((mailbox) => ({ mailbox, route: this.mails.routeOf(mailbox) }));
    return { view: <MailboxesPage mailboxes={listed} /> };
  }

  @Post()
  create(@Me() me: Me, @Body() body: object): Promise<PageResponse> {
    const typed = new FormFields(body).pick('name', 'email', 'replies_by_mail');
    return submitForm({ again: () => this.list(me), typed }, async () => {
      const dto = await validateDto(CreateMailboxDto, body);
      const { id, name } = await this.mailboxes.create(actingOf(me), dto.toInput());
      return redirectWithNotice(mailboxPath(id), `Mailbox ${name} added.`);
    });
  }
}
