import { Injectable } from '@nestjs/common';
import type { PostedForm } from '../../http/form-parts.js';
import { Form } from '../../pages/form.js';
import type { Me } from '../../sign-in/session.guard.js';
import { CreateTicketDto } from '../../rest/tickets/dto/create-ticket.dto.js';
import { ACCEPTED, type Refused, actingOf, attempt, checked, typedText } from '../forms.js';
import type { PageAnswer, View } from '../../pages/page.js';
import { ChoicesReader } from './choices.js';
import { Enclosures } from './enclosures.js';
import { ticketPath } from './inbox-query.js';
import { NewTicketPage } from './new-ticket.page.js';

const FIELDS = ['to', 'first_name', 'last_name', 'subject', 'body', 'mailbox', 'assignee', 'priority', 'note'];
type Values = Readonly<Record<string, string>>;

@Injectable()
export class NewTicketFlow {
  constructor(
    private readonly choices: ChoicesReader,
    private readonly enclosures: Enclosures,
  ) {}

  show(me: Me, query: unknown): Promise<View> {
    return this.form(me, new Form(query).texted('to'), ACCEPTED);
  }

  create(me: Me, posted: PostedForm): Promise<PageAnswer> {
    const values = () => new Form(posted.body()).texted(...FIELDS);
    return attempt(
      async () => {
        const ticket = await this.enclosures.start(actingOf(me), posted, async () =>
          (await checked(CreateTicketDto, wireOf(me, values()))).wanted(),
        );
        return {
          redirect: ticketPath(ticket.number),
          notice: { tone: 'good', text: `Ticket #${ticket.number} created.` },
        };
      },
      (refused) => this.form(me, values(), refused),
    );
  }

  private async form(me: Me, values: Values, { refused, faults }: Refused): Promise<View> {
    const choices = await this.choices.of(me.accountId);
    return { view: <NewTicketPage view={{ choices, values, refused, faults: faults.map(asTyped) }} /> };
  }
}

function wireOf(me: Me, values: Values): object {
  const { to, first_name, last_name, note, body = '', ...others } = values;
  const given = Object.fromEntries(Object.entries(others).filter(([, value]) => value !== ''));
  const names = { ...(first_name && { first_name }), ...(last_name && { last_name }) };
  return { ...given, body: typedText(body), from: me.email, to: { email: to, ...names }, note: note === 'yes' };
}

/** The form asks for the customer's fields by themselves. */
const asTyped = <T extends { field: string }>(fault: T): T => ({
  ...fault,
  field: fault.field.replace(/^to\.email$/, 'to').replace(/^to\./, ''),
});
