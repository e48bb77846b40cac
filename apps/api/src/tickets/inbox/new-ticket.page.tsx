import { type Customer, TICKET_PRIORITIES } from '#libs/entities';
import type { MailRoute } from '#libs/mail';
import { PageLayout } from '../../layers/shell/shell.js';
import type { TicketChoices } from './ticket-choices.reader.js';
import { agentChoices } from '../../layers/ui/agent-name.js';
import { usePageContext } from '../../layers/ui/page-context.js';
import { Field, FilesField, SelectField, toChoices } from '../../layers/ui/parts/fields.js';
import { Form, FormAlert } from '../../layers/ui/parts/form.js';

const WHERE_IT_GOES: Readonly<Record<MailRoute, string>> = {
  smtp: 'Mailboxes that send replies by email also send this.',
  caught: 'Trial mode: the message is not emailed. View it under Outgoing mail.',
  none: 'The message is not emailed. Webhooks deliver it.',
};

export function NewTicketPage({ choices, mailRoute }: { choices: TicketChoices; mailRoute: MailRoute }) {
  const { me, form } = usePageContext();
  const { mailboxes, agents } = choices;
  return (
    <PageLayout
      title="New ticket"
      narrow
      intro={`Write to a customer. A new address adds a new customer. ${WHERE_IT_GOES[mailRoute]}`}
    >
      <FormAlert />
      <Form action="/tickets" class="card stack" files>
        <Field label="To" name="to" required hint="Name or email address of a customer.">
          {(attributes, value) => (
            <>
              <input
                {...attributes}
                type="email"
                value={value}
                autocomplete="off"
                list="known-customers"
                data-suggest="/tickets/new/customers"
              />
              <KnownCustomers customers={[]} />
            </>
          )}
        </Field>
        <Field label="Cc" name="cc" autocomplete="off" hint="Separate addresses with commas." />
        <div class="pair">
          <Field label="First name" name="first_name" autocomplete="off" />
          <Field label="Last name" name="last_name" autocomplete="off" />
        </div>
        <Field label="Subject" name="subject" />
        <Field label="Message" name="body" required>
          {(attributes, value) => (
            <textarea {...attributes} dir="auto" rows={9} data-draft={`${me.agentId}:new-ticket`}>
              {value}
            </textarea>
          )}
        </Field>
        <div class="pair">
          <SelectField label="Mailbox" name="mailbox" choices={toChoices(mailboxes)} />
          <SelectField
            label="Assignee"
            name="assignee"
            choices={[{ value: '', label: 'Unassigned' }, ...agentChoices(agents)]}
          />
          <SelectField
            label="Priority"
            name="priority"
            choices={[{ value: '', label: 'None' }, ...toChoices(TICKET_PRIORITIES)]}
          />
        </div>
        <label class="check">
          <input type="checkbox" name="note" value="yes" checked={form.values['note'] === 'yes'} />
          <span>Internal note (agents only)</span>
        </label>
        <FilesField />
        <div class="row">
          <button type="submit" class="primary" data-send>
            Create ticket
          </button>
          <a href="/inbox">Cancel</a>
        </div>
      </Form>
    </PageLayout>
  );
}

export function KnownCustomers({ customers }: { customers: readonly Customer[] }) {
  return (
    <datalist id="known-customers">
      {customers.map((customer) => (
        <option value={customer.email} key={customer.id}>
          {[customer.name(), customer.companyName].filter(Boolean).join(', ')}
        </option>
      ))}
    </datalist>
  );
}
