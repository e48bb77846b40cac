import { Controller, Get, Post, Query, Req } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { AcceptsMultipartForm, postedForm } from '../../http/multipart-form.js';
import { FormFields } from '../../pages/form-fields.js';
import { Me } from '../../sign-in/session.guard.js';
import { CreateTicketDto } from '../../rest/tickets/dto/create-ticket.dto.js';
import {
  NO_FORM_ERRORS,
  type FormErrors,
  actingOf,
  submitForm,
  validateDto,
  normalizeLineEndings,
} from '../form-submission.js';
import { type PageResponse, type PageContent, redirectWithNotice } from '../../pages/page-response.js';
import { TicketChoicesReader } from './ticket-choices.reader.js';
import { MessageWithAttachmentsService } from './message-with-attachments.service.js';
import { ticketPath } from './inbox-query.js';
import { NewTicketPage } from './new-ticket.page.js';
import { ConsolePages } from '../shell/console-pages.decorator.js';

const FIELDS = ['to', 'first_name', 'last_name', 'subject', 'body', 'mailbox', 'assignee', 'priority', 'note'];
type Values = Readonly<Record<string, string>>;

@Controller('tickets')
@ConsolePages()
export class ConsoleNewTicketController {
  constructor(
    private readonly choices: TicketChoicesReader,
    private readonly messagesWithAttachments: MessageWithAttachmentsService,
  ) {}

  @Get('new')
  show(@Me() me: Me, @Query() query: unknown): Promise<PageResponse> {
    return this.form(me, new FormFields(query).pick('to'), NO_FORM_ERRORS);
  }

  @Post()
  @AcceptsMultipartForm()
  create(@Me() me: Me, @Req() request: FastifyRequest): Promise<PageResponse> {
    const posted = postedForm(request);
    const values = () => new FormFields(posted.body()).pick(...FIELDS);
    return submitForm(
      async () => {
        const ticket = await this.messagesWithAttachments.createTicket(actingOf(me), posted, async () =>
          (await validateDto(CreateTicketDto, toCreateTicketBody(me, values()))).toInput(),
        );
        return redirectWithNotice(ticketPath(ticket.number), `Ticket #${ticket.number} created.`);
      },
      (refused) => this.form(me, values(), refused),
    );
  }

  private async form(me: Me, values: Values, { formError, faults }: FormErrors): Promise<PageContent> {
    const choices = await this.choices.read(me.accountId);
    return { view: <NewTicketPage view={{ choices, values, formError, faults: faults.map(toFormFieldName) }} /> };
  }
}

function toCreateTicketBody(me: Me, values: Values): object {
  const { to, first_name, last_name, note, body = '', ...others } = values;
  const given = Object.fromEntries(Object.entries(others).filter(([, value]) => value !== ''));
  const names = { ...(first_name && { first_name }), ...(last_name && { last_name }) };
  return {
    ...given,
    body: normalizeLineEndings(body),
    from: me.email,
    to: { email: to, ...names },
    note: note === 'yes',
  };
}

/** The DTO holds the customer’s fields under `to`, the form beside the others. */
const toFormFieldName = <T extends { field: string }>(fault: T): T => ({
  ...fault,
  field: fault.field.replace(/^to\.email$/, 'to').replace(/^to\./, ''),
});
