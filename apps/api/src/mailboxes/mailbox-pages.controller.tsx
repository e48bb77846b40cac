import type { Mailbox } from '#libs/entities';
import type { MailRoute } from '#libs/mail';
import { MailboxChecksService, MailboxesService } from '#libs/mailboxes';
import { CustomerMailsService } from '#libs/tickets';
import { Body, Get, Post } from '@nestjs/common';
import { FormFields, normalizeLineEndings } from '../layers/ui/form-fields.js';
import { type PageContent, type PageResponse, redirectWithNotice } from '../layers/ui/page-response.js';
import { Me } from '../layers/sign-in/me.decorator.js';
import { actingOf } from '../layers/shell/acting.js';
import { submitForm, validateDto } from '../layers/shell/form-submission.js';
import { ConsolePages } from '../layers/shell/console-pages.decorator.js';
import { Field, SelectField } from '../layers/ui/parts/fields.js';
import { Form, FormAlert, SubmitButton } from '../layers/ui/parts/form.js';
import { EmptyState } from '../layers/ui/parts/indicators.js';
import { type Column, Table } from '../layers/ui/parts/table.js';
import { PageLayout } from '../layers/shell/shell.js';
import { IdParam, MailboxFormsService } from './mailbox-server-pages.controller.js';
import { mailboxPath, REPLIES } from './mailbox-section.js';
import { ChangeMailboxDto, CreateMailboxDto } from './mailboxes.dto.js';

/** Bounds the list, which has no pager. The API lists the rest. */
const UNPAGED = { page: 1, perPage: 500, cursor: undefined } as const;

@ConsolePages('settings/mailboxes', 'managers', { group: 'Settings', label: 'Mailboxes', icon: 'mail' })
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

interface ListedMailbox {
  readonly mailbox: Mailbox;
  readonly route: MailRoute;
}

const COLUMNS: readonly Column<ListedMailbox>[] = [
  { name: 'Name', cell: ({ mailbox }) => <a href={mailboxPath(mailbox.id)}>{mailbox.name}</a> },
  { name: 'Email', cell: ({ mailbox }) => mailbox.email, class: 'break' },
  { name: 'Replies', cell: repliesText },
];

function MailboxesPage({ mailboxes }: { readonly mailboxes: readonly ListedMailbox[] }) {
  return (
    <PageLayout title="Mailboxes" narrow intro="The addresses customers write to. Every ticket belongs to one of them.">
      {mailboxes.length === 0 ? (
        <EmptyState title="No mailbox yet" text="Add one below. Every ticket belongs to a mailbox." />
      ) : (
        <Table caption="Mailboxes" columns={COLUMNS} rows={mailboxes} />
      )}
      <Form action="/settings/mailboxes" class="card stack" label="Add a mailbox">
        <h2>Add a mailbox</h2>
        <FormAlert />
        <div class="pair">
          <Field label="Name" name="name" required autocomplete="off" />
          <Field label="Email" name="email" type="email" required autocomplete="off" />
          <SelectField label="Replies" name="replies_by_mail" choices={REPLIES} value="true" />
        </div>
        <SubmitButton>Add mailbox</SubmitButton>
      </Form>
    </PageLayout>
  );
}

function repliesText({ mailbox, route }: ListedMailbox): string {
  if (!mailbox.repliesByMail) return 'Not sent';
  return {
    smtp: 'are mailed',
    caught: 'are kept under Outgoing mail',
    none: 'Not sent: no mail server',
  }[route];
}
