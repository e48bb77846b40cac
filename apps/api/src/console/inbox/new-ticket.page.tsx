import { TICKET_PRIORITIES } from '#libs/entities';
import { useFrame } from '../../pages/frame.js';
import { FilesField } from '../../pages/parts/files-field.js';
import { Field, type Faults, Form, Options } from '../../pages/parts/form.js';
import { Notice } from '../../pages/parts/marks.js';
import { Page } from '../shell/shell.js';
import type { Choices } from './choices.js';
import { agentChoices, same } from './filters.js';

export interface NewTicketView {
  readonly choices: Choices;
  /** What was typed, when it could not be used. */
  readonly values: Readonly<Record<string, string>>;
  readonly faults: Faults;
  readonly refused: string | null;
}

export function NewTicketPage({ view }: { view: NewTicketView }) {
  const { me } = useFrame();
  const { choices, values, faults, refused } = view;
  const { mailboxes, agents } = choices;
  return (
    <Page
      title="New ticket"
      here="/tickets/new"
      narrow
      intro="Write to a customer. If the address is new, the customer is added."
    >
      {refused && (
        <Notice tone="bad" role="alert">
          {refused}
        </Notice>
      )}
      <Form action="/tickets" class="card stack" files>
        <Field
          label="To"
          name="to"
          type="email"
          required
          value={values['to'] ?? ''}
          faults={faults}
          autocomplete="off"
        />
        <div class="pair">
          <Field
            label="First name"
            name="first_name"
            value={values['first_name'] ?? ''}
            faults={faults}
            autocomplete="off"
          />
          <Field
            label="Last name"
            name="last_name"
            value={values['last_name'] ?? ''}
            faults={faults}
            autocomplete="off"
          />
        </div>
        <Field label="Subject" name="subject" value={values['subject'] ?? ''} faults={faults} />
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
                <Options choices={same(mailboxes)} chosen={values['mailbox'] ?? null} />
              </select>
            )}
          </Field>
          <Field label="Assignee" name="assignee" faults={faults}>
            {(attributes) => (
              <select {...attributes}>
                <Options
                  choices={[{ value: '', label: 'Nobody' }, ...agentChoices(agents)]}
                  chosen={values['assignee'] ?? null}
                />
              </select>
            )}
          </Field>
          <Field label="Priority" name="priority" faults={faults}>
            {(attributes) => (
              <select {...attributes}>
                <Options
                  choices={[{ value: '', label: 'None' }, ...same(TICKET_PRIORITIES)]}
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
    </Page>
  );
}
