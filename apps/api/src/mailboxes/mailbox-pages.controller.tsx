import type { Mailbox } from '#libs/entities';
import { MailboxChecksService, MailboxesService } from '#libs/mailboxes';
import { CustomerMailsService } from '#libs/tickets';
import { Body, Get, Post } from '@nestjs/common';
import { FormFields, normalizeLineEndings } from '../layers/ui/form-fields.js';
import { type PageContent, type PageResponse, redirectWithNotice } from '../layers/ui/page-response.js';
import { Me } from '../layers/sign-in/me.decorator.js';
import { actingOf } from '../layers/shell/acting.js';
import { submitForm, validateDto } from '../layers/shell/form-submission.js';
import { ConsolePages } from '../layers/shell/console-pages.decorator.js';
import { IdParam, MailboxFormsService } from './mailbox-server-pages.controller.js';
import { mailboxPath } from './mailbox-section.js';
import { ChangeMailboxDto, CreateMailboxDto } from './mailboxes.dto.js';
import { MailboxesPage } from './mailboxes.page.js';

/** Bounds the list, which has no pager. The API lists the rest. */
const UNPAGED = { page: 1, perPage: 500, cursor: undefined } as const;

@ConsolePages('settings/mailboxes', 'managers', { group: 'Email', label: 'Mailboxes', icon: 'mail' })
export class MailboxPagesController {
  constructor(
    private readonly mailboxes: MailboxesService,
    private readonly checks: MailboxChecksService,
    private readonly mails: CustomerMailsService,
    private readonly forms: MailboxFormsService,
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

  @Get(':id')
  show(@Me() me: Me, @IdParam() id: string): Promise<PageContent> {
    return this.forms.page(me, id);
  }

  @Post(':id')
  change(@Me() me: Me, @IdParam() id: string, @Body() body: object): Promise<PageResponse> {
    const typed = new FormFields(body).pick('name', 'email', 'replies_by_mail');
    const form = { section: 'address', typed, notice: ({ name }: Mailbox) => `Mailbox ${name} saved.` } as const;
    return this.forms.submit(me, id, form, () => this.save(me, id, body));
  }

  @Post(':id/signature')
  sign(@Me() me: Me, @IdParam() id: string, @Body() body: object): Promise<PageResponse> {
    const typed = { signature: normalizeLineEndings(new FormFields(body).text('signature')) };
    const form = { section: 'signature', typed, notice: 'Signature saved.' } as const;
    return this.forms.submit(me, id, form, () => this.save(me, id, typed));
  }

  @Post(':id/sender-checks')
  setAuthservId(@Me() me: Me, @IdParam() id: string, @Body() body: object): Promise<PageResponse> {
    const typed = new FormFields(body).pick('authserv_id');
    const form = { section: 'sender-checks', typed, notice: 'Saved. Applies to new mail.' } as const;
    return this.forms.submit(me, id, form, () => this.save(me, id, typed));
  }

  @Post(':id/test')
  check(@Me() me: Me, @IdParam() id: string): Promise<PageResponse> {
    const form = { section: 'test', notice: 'Mailbox check started.' } as const;
    return this.forms.submit(me, id, form, () => this.checks.start(actingOf(me), id));
  }

  @Post(':id/delete')
  delete(@Me() me: Me, @IdParam() id: string): Promise<PageResponse> {
    return submitForm({ again: () => this.forms.page(me, id, 'removal') }, async () => {
      await this.mailboxes.remove(actingOf(me), id);
      return redirectWithNotice('/settings/mailboxes', 'Mailbox deleted.');
    });
  }

  private async save(me: Me, id: string, fields: object): Promise<Mailbox> {
    const dto = await validateDto(ChangeMailboxDto, fields);
    return this.mailboxes.change(actingOf(me), id, dto.toInput());
  }
}
