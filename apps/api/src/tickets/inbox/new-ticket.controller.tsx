import { Clock } from '#libs/database';
import { typedAddresses } from '#libs/mailboxes';
import { distinctAddresses } from '#libs/mail';
import { CustomerMailsService, CustomersService } from '#libs/tickets';
import { Injectable, Get, Post, Query, Req } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { CookiesService } from '../../layers/ui/cookies.service.js';
import { AcceptsMultipartForm, postedForm } from '../../layers/edge/multipart-form.js';
import { ConsolePages } from '../../layers/shell/console-pages.decorator.js';
import { actingOf } from '../../layers/shell/acting.js';
import { submitForm, validateDto } from '../../layers/shell/form-submission.js';
import { normalizeLineEndings, FormFields } from '../../layers/ui/form-fields.js';
import { ticketPath } from '../inbox-query.js';
import { TicketChoicesReader } from './ticket-choices.reader.js';
import { Me } from '../../layers/sign-in/me.decorator.js';
import {
  type FormState,
  type PageResponse,
  type PageContent,
  redirectWithNotice,
} from '../../layers/ui/page-response.js';
import { MessageWithAttachmentsService } from '../composer/composer-form.js';
import { CreateTicketDto } from '../tickets.dto.js';
import { KnownCustomers, NewTicketPage } from './new-ticket.page.js';

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
    private readonly choices: TicketChoicesReader,
    private readonly messagesWithAttachments: MessageWithAttachmentsService,
    private readonly customers: CustomersService,
    private readonly lastMailbox: LastMailboxService,
    private readonly mails: CustomerMailsService,
  ) {}

  @Get('new')
  show(@Me() me: Me, @Query() query: unknown, @Req() request: FastifyRequest): Promise<PageResponse> {
    const mailbox = this.lastMailbox.read(request);
    return this.page(me, { values: { ...new FormFields(query).pick('to'), ...(mailbox && { mailbox }) } });
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
    const values = () => new FormFields(posted.body()).pick(...FIELDS);
    const again = ({ faults }: FormState) => this.page(me, { values: values(), faults: faults.map(toFormFieldName) });
    return submitForm({ again }, async () => {
      const ticket = await this.messagesWithAttachments.createTicket(actingOf(me), posted, async () =>
        (await validateDto(CreateTicketDto, toCreateTicketBody(me, values()))).toInput(),
      );
      const done = redirectWithNotice(ticketPath(ticket.number), `Ticket #${ticket.number} created.`);
      return { ...done, cookies: this.lastMailbox.keep(values()['mailbox'] ?? '') };
    });
  }

  private async page(me: Me, form: Partial<FormState>): Promise<PageContent> {
    return {
      view: <NewTicketPage choices={await this.choices.read(me.accountId)} mailRoute={this.mails.route} />,
      form,
    };
  }
}

function toCreateTicketBody(me: Me, values: FormState['values']): object {
  const { to, cc = '', first_name, last_name, note, body = '', ...others } = values;
  const given = Object.fromEntries(Object.entries(others).filter(([, value]) => value !== ''));
  const names = { ...(first_name && { first_name }), ...(last_name && { last_name }) };
  return {
    ...given,
    body: normalizeLineEndings(body),
    from: me.email,
    to: { email: to, ...names },
    cc: distinctAddresses(typedAddresses(cc)),
    note: note === 'yes',
  };
}

/** The DTO has the customer’s fields under `to`. */
const toFormFieldName = <T extends { field: string }>(fault: T): T => ({
  ...fault,
  field: fault.field.replace(/^to\.email$/, 'to').replace(/^to\./, ''),
});
