import { TICKET_PRIORITIES } from '#libs/entities';
import { usePageContext } from '../../pages/page-context.js';
import { FilesField } from '../../pages/parts/files-field.js';
import { Field, SelectField, toChoices } from '../../pages/parts/fields.js';
import { Form, FormAlert } from '../../pages/parts/form.js';
import { PageLayout } from '../shell/shell.js';
import type { TicketChoices } from './ticket-choices.reader.js';
import { agentChoices } from '../people/agent-name.js';

export function NewTicketPage({ choices }: { choices: TicketChoices }) {
  const { me, form } = usePageContext();
  const { mailboxes, agents } = choices;
  return (
    <PageLayout
      title="New ticket"
      narrow
      intro="For a customer. If the address is new, the customer is added. Nothing is mailed from here: webhooks pass it on."
    >
      <FormAlert />
      <Form action="/tickets" class="card stack" files>
        <Field label="To" name="to" type="email" required autocomplete="off" />
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
        <FilesField />
        <div class="pair">
          <SelectField label="Mailbox" name="mailbox" choices={toChoices(mailboxes)} />
          <SelectField
            label="Assignee"
            name="assignee"
            choices={[{ value: '', label: 'Nobody' }, ...agentChoices(agents)]}
          />
          <SelectField
            label="Priority"
            name="priority"
            choices={[{ value: '', label: 'None' }, ...toChoices(TICKET_PRIORITIES)]}
          />
        </div>
        <label class="check">
          <input type="checkbox" name="note" value="yes" checked={form.values['note'] === 'yes'} />
          <span>Keep it as an internal note, for agents alone</span>
        </label>
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
