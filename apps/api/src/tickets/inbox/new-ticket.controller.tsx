import { Clock } from '#libs/database';
import { typedAddresses } from '#libs/mailboxes';
import { distinctAddresses } from '#libs/mail';
import { HeldReply, type Ticket } from '#libs/entities';
import { CustomersService, ScheduledRepliesService, type WaitingReply } from '#libs/tickets';
import { Get, Injectable, Param, Post, Query, Req } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { CookiesService } from '../../layers/ui/cookies.service.js';
import { ticketNumberOf } from '../../layers/edge/path-parameter.pipes.js';
import { AcceptsMultipartForm, postedForm } from '../../layers/edge/multipart-form.js';
import { ConsolePages } from '../../layers/shell/console-pages.decorator.js';
import { actingOf } from '../../layers/shell/acting.js';
import { redirectOrExplain, submitForm, validateDto } from '../../layers/shell/form-submission.js';
import { normalizeLineEndings, FormFields } from '../../layers/ui/form-fields.js';
import { ticketPath } from '../inbox-query.js';
import { Me } from '../../layers/sign-in/me.decorator.js';
import type { FormState, PageNotice, PageResponse, Redirect } from '../../layers/ui/page-response.js';
import { MessageWithAttachmentsService } from '../composer/composer-form.js';
import { CreateTicketDto } from '../tickets.dto.js';
import { KnownCustomers, NewTicketPage, sourcePath } from './new-ticket.page.js';
import { NewTicketReader } from './new-ticket.reader.js';

const YEAR_MS = 365 * 86_400_000;
const MAX_NAME_CHARACTERS = 100;

/** A cookie with the name of the mailbox of the last new ticket. */
@Injectable()
export class LastMailboxService {
  constructor(
    private readonly cookies: CookiesService,
    private readonly clock: Clock,
  ) {}

  /** Unverified. A name without a mailbox selects nothing. */
  read(request: FastifyRequest): string {
    return Buffer.from(this.cookies.read(request, 'last-mailbox') ?? '', 'base64url').toString();
  }

  keep(mailbox: string): string[] {
    if (mailbox === '' || mailbox.length > MAX_NAME_CHARACTERS) return [];
    const value = Buffer.from(mailbox).toString('base64url');
    return [this.cookies.set('last-mailbox', value, this.clock.in(YEAR_MS))];
  }
}

const FIELDS = ['to', 'cc', 'first_name', 'last_name', 'subject', 'body', 'mailbox', 'assignee', 'priority', 'note'];

const SUGGESTED_CUSTOMERS = 8;
const MAX_TYPED_CHARACTERS = 200;

@ConsolePages('tickets')
export class NewTicketController {
  constructor(
    private readonly reader: NewTicketReader,
    private readonly messagesWithAttachments: MessageWithAttachmentsService,
    private readonly customers: CustomersService,
    private readonly lastMailbox: LastMailboxService,
    private readonly heldReplies: ScheduledRepliesService,
  ) {}

  @Get('new')
  show(@Me() me: Me, @Query() query: unknown, @Req() request: FastifyRequest): Promise<PageResponse> {
    const form = new FormFields(query);
    const mailbox = this.lastMailbox.read(request);
    return this.page(me, form, { assignee: me.email, to: form.text('to'), ...(mailbox && { mailbox }) });
  }

  @Get('new/customers')
  async suggest(@Me() me: Me, @Query() query: unknown): Promise<PageResponse> {
    const q = new FormFields(query).text('q').trim().slice(0, MAX_TYPED_CHARACTERS);
    const request = { page: 1, perPage: SUGGESTED_CUSTOMERS, cursor: undefined, q };
    const items = q === '' ? [] : (await this.customers.list(actingOf(me), request)).items;
    return { view: <KnownCustomers customers={items} /> };
  }

  @Post()
  @AcceptsMultipartForm()
  create(@Me() me: Me, @Req() request: FastifyRequest): Promise<PageResponse> {
    const posted = postedForm(request);
    const form = () => new FormFields(posted.body());
    const values = () => form().pick(...FIELDS);
    const again = async ({ faults }: FormState) => {
      const page = await this.page(me, form(), {});
      return { ...page, form: { values: { ...page.form.values, ...values() }, faults: faults.map(toFormFieldName) } };
    };
    return submitForm({ again }, async () => {
      const created = await this.messagesWithAttachments.createTicket(actingOf(me), posted, async () => {
        const dto = await validateDto(CreateTicketDto, toCreateTicketBody(me, values()));
        const id = form().text('held');
        const forwardOf = ticketNumberOf(form().text('forwarded')) || undefined;
        const wanted = { ...dto.toInput(), markdown: true, forwardOf };
        return [wanted, id === '' ? undefined : { id, keptFiles: form().texts('file') }];
      });
      const cookies = this.lastMailbox.keep(values()['mailbox'] ?? '');
      return { ...answerTo(created, form()), cookies };
    });
  }

  @Post('new/:id/undo')
  undo(@Me() me: Me, @Param('id') id: string): Promise<PageResponse> {
    return redirectOrExplain(`/tickets/new?held=${encodeURIComponent(id)}`, 'not_held', async () => {
      await this.heldReplies.undoTicket(actingOf(me), id);
      return 'Sending undone. Your text is back.';
    });
  }

  @Post('new/:id/discard')
  discard(@Me() me: Me, @Param('id') id: string): Promise<PageResponse> {
    return redirectOrExplain('/tickets/new', 'not_held', async () => {
      await this.heldReplies.discardTicket(actingOf(me), id);
      return 'Unsent message discarded.';
    });
  }

  /** The values of an unsent ticket or a forwarded message win over `defaults`. */
  private async page(me: Me, form: FormFields, defaults: FormState['values']) {
    const view = await this.reader.read(me, { held: form.text('held'), forward: form.text('forward') });
    return {
      view: <NewTicketPage view={view} />,
      form: { values: { back: form.text('back'), ...defaults, ...view.values } },
    };
  }
}

function answerTo(created: Ticket | WaitingReply, form: FormFields): Redirect {
  const to = form.text('to');
  const forwarded = ticketNumberOf(form.text('forwarded'));
  const source = forwarded > 0 && sourcePath(forwarded, form.text('back'));
  if (created instanceof HeldReply) {
    const text = source ? `Forward to ${to} will be sent in` : `Ticket to ${to} will be created in`;
    return { redirect: source || '/inbox', notice: noticeOfHeldTicket(text, created) };
  }
  const text = source ? `Forwarded to ${to} as #${created.number}.` : `Ticket #${created.number} created.`;
  return { redirect: source || ticketPath(created.number), notice: { tone: 'good', text } };
}

const noticeOfHeldTicket = (text: string, { id, dueAt }: WaitingReply): PageNotice => ({
  tone: 'good',
  text,
  until: dueAt,
  undo: { path: `/tickets/new/${id}/undo`, fields: {} },
});

function toCreateTicketBody(me: Me, values: FormState['values']): object {
  const { to, cc = '', first_name, last_name, note, body = '', ...others } = values;
  const isNote = note === 'yes';
  const given = Object.fromEntries(Object.entries(others).filter(([, value]) => value !== ''));
  const names = { ...(first_name && { first_name }), ...(last_name && { last_name }) };
  return {
    ...given,
    body: normalizeLineEndings(body),
    from: me.email,
    to: { email: to, ...names },
    cc: distinctAddresses(typedAddresses(cc)),
    note: isNote,
    // A ticket that an agent wrote is not new work.
    state: isNote ? 'opened' : 'pending',
  };
}

/** The DTO has the customer’s fields under `to`. */
const toFormFieldName = <T extends { field: string }>(fault: T): T => ({
  ...fault,
  field: fault.field.replace(/^to\.email$/, 'to').replace(/^to\./, ''),
});
