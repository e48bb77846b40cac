import { Injectable } from '@nestjs/common';
import type { PostedForm } from '../../http/multipart-form.js';
import { FormFields } from '../../pages/form-fields.js';
import type { Me } from '../../sign-in/session.guard.js';
import { CreateTicketDto } from '../../rest/tickets/dto/create-ticket.dto.js';
import {
  NO_FORM_ERRORS,
  type FormErrors,
  actingOf,
  submitForm,
  validateDto,
  normalizeLineEndings,
} from '../form-submission.js';
import type { PageResponse, PageContent } from '../../pages/page-response.js';
import { TicketChoicesReader } from './ticket-choices.reader.js';
import { MessageWithAttachmentsService } from './message-with-attachments.service.js';
import { ticketPath } from './inbox-query.js';
import { NewTicketPage } from './new-ticket.page.js';

const FIELDS = ['to', 'first_name', 'last_name', 'subject', 'body', 'mailbox', 'assignee', 'priority', 'note'];
type Values = Readonly<Record<string, string>>;

@Injectable()
export class ConsoleNewTicketService {
  constructor(
    private readonly choices: TicketChoicesReader,
    private readonly messagesWithAttachments: MessageWithAttachmentsService,
  ) {}

  show(me: Me, query: unknown): Promise<PageContent> {
    return this.form(me, new FormFields(query).pick('to'), NO_FORM_ERRORS);
  }

  create(me: Me, posted: PostedForm): Promise<PageResponse> {
    const values = () => new FormFields(posted.body()).pick(...FIELDS);
    return submitForm(
      async () => {
        const ticket = await this.messagesWithAttachments.createTicket(actingOf(me), posted, async () =>
          (await validateDto(CreateTicketDto, toCreateTicketBody(me, values()))).toInput(),
        );
        return {
          redirect: ticketPath(ticket.number),
          notice: { tone: 'good', text: `Ticket #${ticket.number} created.` },
        };
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

/** The form asks for the customer's fields by themselves. */
const toFormFieldName = <T extends { field: string }>(fault: T): T => ({
  ...fault,
  field: fault.field.replace(/^to\.email$/, 'to').replace(/^to\./, ''),
});
