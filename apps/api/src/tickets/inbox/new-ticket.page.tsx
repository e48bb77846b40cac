import { type Customer, TICKET_PRIORITIES } from '#libs/entities';
import { PageLayout } from '../../layers/shell/shell.js';
import { agentChoices } from '../../layers/ui/agent-name.js';
import { usePageContext } from '../../layers/ui/page-context.js';
import { Field, FilesField, SelectField, toChoices } from '../../layers/ui/parts/fields.js';
import { ActionButton, Form, FormAlert, HiddenFields } from '../../layers/ui/parts/form.js';
import { NoticeBox } from '../../layers/ui/parts/indicators.js';
import { ROUTE_WORDS } from '../composer/composer.js';
import { parseListQuery, ticketPath } from '../inbox-query.js';
import type { NewTicketView } from './new-ticket.reader.js';

const CUSTOMER_HINT = 'Name or email address of a customer.';
const FORWARD_INTRO = 'Sends the conversation to an address outside the desk.';

export function NewTicketPage({ view }: { view: NewTicketView }) {
  const { choices, mailRoute, unsent, files, values } = view;
  const { me, form } = usePageContext();
  const { mailboxes, agents } = choices;
  const { held = '', forward = '', forwarded = '' } = values;
  const { back = '' } = form.values;
  return (
    <PageLayout
      title={forwarded ? `Forward #${forwarded}` : 'New ticket'}
      narrow
      intro={`${forwarded ? FORWARD_INTRO : 'Write to a customer. A new address adds a new customer.'} ${ROUTE_WORDS[mailRoute]}`}
    >
      <FormAlert />
      {unsent.map(({ id, newTicket }) => (
        <NoticeBox tone="warn" key={id}>
          {`You have an unsent ${newTicket.forwardOf ? 'forward' : 'new ticket'} to ${newTicket.to.email}. `}
          <a href={`/tickets/new?held=${id}`}>Continue</a>
        </NoticeBox>
      ))}
      {held && <ActionButton to={`/tickets/new/${held}/discard`} label="Discard this unsent message" class="slim" />}
      <Form action="/tickets" class="card stack" files>
        <HiddenFields fields={{ held, forward, forwarded, back }} />
        <Field label="To" name="to" required hint={forwarded ? 'Email address.' : CUSTOMER_HINT}>
          {(attributes, value) => (
            <>
              <input
                autofocus={!form.error}
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
        {!forwarded && (
          <div class="pair">
            <Field label="First name" name="first_name" autocomplete="off" />
            <Field label="Last name" name="last_name" autocomplete="off" />
          </div>
        )}
        <Field label="Subject" name="subject" />
        <Field label="Message" name="body" required hint="Markdown: **bold** *italic* - list `code` > quote">
          {(attributes, value) => (
            <textarea
              {...attributes}
              dir="auto"
              rows={9}
              data-draft={`${me.agentId}:${forwarded ? `forward-${forward || held}` : 'new-ticket'}`}
            >
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
        {!forwarded && (
          <label class="check">
            <input type="checkbox" name="note" value="yes" checked={form.values['note'] === 'yes'} />
            <span>Internal note (agents only)</span>
          </label>
        )}
        {files.map(({ id, name }) => (
          <label class="check" key={id}>
            <input type="checkbox" name="file" value={id} checked />
            <span class="clip">{name}</span>
          </label>
        ))}
        <FilesField />
        <div class="row">
          <button type="submit" class="primary" data-send>
            {forwarded ? 'Forward' : 'Create ticket'}
          </button>
          <a href={forwarded ? sourcePath(Number(forwarded), back) : '/inbox'}>Cancel</a>
        </div>
      </Form>
    </PageLayout>
  );
}

/** The ticket that was forwarded, in its list. */
export const sourcePath = (forwarded: number, back: string): string =>
  ticketPath(forwarded, back === '' ? undefined : parseListQuery(back));

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
