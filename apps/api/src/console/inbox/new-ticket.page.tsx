import { TICKET_PRIORITIES } from '#libs/entities';
import { usePageContext } from '../../pages/page-context.js';
import { FilesField } from '../../pages/parts/files-field.js';
import { Field, Form, SelectOptions, FormAlert, toChoices } from '../../pages/parts/form.js';
import { PageLayout } from '../shell/shell.js';
import type { TicketChoices } from './ticket-choices.reader.js';
import { agentChoices } from '../people/agent-name.js';
import type { FormErrors } from '../form-submission.js';

export interface NewTicketView extends FormErrors {
  readonly choices: TicketChoices;
  /** What was typed, if it was refused. */
  readonly values: Readonly<Record<string, string>>;
}

export function NewTicketPage({ view }: { view: NewTicketView }) {
  const { me } = usePageContext();
  const { choices, values, faults, formError } = view;
  const { mailboxes, agents } = choices;
  return (
    <PageLayout title="New ticket" narrow intro="Write to a customer. If the address is new, the customer is added.">
      <FormAlert>{formError}</FormAlert>
      <Form action="/tickets" class="card stack" files>
        <Field label="To" name="to" type="email" required values={values} faults={faults} autocomplete="off" />
        <div class="pair">
          <Field label="First name" name="first_name" values={values} faults={faults} autocomplete="off" />
          <Field label="Last name" name="last_name" values={values} faults={faults} autocomplete="off" />
        </div>
        <Field label="Subject" name="subject" values={values} faults={faults} />
        <Field label="Message" name="body" required faults={faults}>
          {(attributes) => (
            <textarea {...attributes} rows={9} data-draft={`${me.agentId}:new-ticket`}>
              {values['body'] ?? ''}
            </textarea>
          )}
        </Field>
        <FilesField />
        <div class="pair">
          <Field label="Mailbox" name="mailbox" faults={faults}>
            {(attributes) => (
              <select {...attributes}>
                <SelectOptions choices={toChoices(mailboxes)} chosen={values['mailbox'] ?? null} />
              </select>
            )}
          </Field>
          <Field label="Assignee" name="assignee" faults={faults}>
            {(attributes) => (
              <select {...attributes}>
                <SelectOptions
                  choices={[{ value: '', label: 'Nobody' }, ...agentChoices(agents)]}
                  chosen={values['assignee'] ?? null}
                />
              </select>
            )}
          </Field>
          <Field label="Priority" name="priority" faults={faults}>
            {(attributes) => (
              <select {...attributes}>
                <SelectOptions
                  choices={[{ value: '', label: 'None' }, ...toChoices(TICKET_PRIORITIES)]}
                  chosen={values['priority'] ?? null}
                />
              </select>
            )}
          </Field>
        </div>
        <label class="check">
          <input type="checkbox" name="note" value="yes" checked={values['note'] === 'yes'} />
          <span>Keep it as an internal note: nothing is sent to the customer</span>
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
