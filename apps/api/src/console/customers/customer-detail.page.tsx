import type { Customer, Ticket } from '#libs/entities';
import { ticketPath } from '../inbox/inbox-query.js';
import { Confirm } from '../../pages/parts/dialog.js';
import { Field, Form } from '../../pages/parts/form.js';
import { Empty, Notice, PriorityPill, TicketStatePill } from '../../pages/parts/marks.js';
import { Table } from '../../pages/parts/table.js';
import { Time } from '../../pages/parts/time.js';
import { Page } from '../shell/shell.js';
import { type CustomerTyped, wireName } from './customer-form.js';
import { CUSTOMER_FIELDS, customerPath } from './customer-fields.js';
import type { Refused } from '../forms.js';

export interface CustomerFormView extends CustomerTyped, Refused {}

export interface CustomerView extends CustomerFormView {
  readonly customer: Customer;
  readonly tickets: readonly Ticket[];
}

export function CustomerPage({ view }: { view: CustomerView }) {
  const { customer, tickets } = view;
  const path = customerPath(customer.email);
  return (
    <Page
      title={customer.name() ?? customer.email}
      here="/customers"
      intro={customer.email}
      actions={
        <Confirm
          id="delete-customer"
          opener="Delete…"
          openerClass="danger"
          title={`Delete ${customer.email}?`}
          action={`${path}/delete`}
          confirm="Delete customer"
        >
          <p>A customer with tickets cannot be deleted: delete those first.</p>
        </Confirm>
      }
    >
      <div class="columns">
        <CustomerForm view={view} action={path} submit="Save" />
        <section class="stack" aria-labelledby="their-tickets">
          <h2 id="their-tickets">Tickets</h2>
          <TicketsOf tickets={tickets} />
        </section>
      </div>
    </Page>
  );
}

function TicketsOf({ tickets }: { tickets: readonly Ticket[] }) {
  if (tickets.length === 0)
    return (
      <Empty title="No tickets">
        <p>When this customer writes, the ticket appears here.</p>
      </Empty>
    );
  return (
    <Table caption="Tickets of this customer" columns={['Ticket', 'State', 'Priority', 'Last change']}>
      {tickets.map((ticket) => (
        <tr key={ticket.number}>
          <td>
            <a href={ticketPath(ticket.number)}>{`#${ticket.number} ${ticket.title ?? ticket.summary}`}</a>
          </td>
          <td>
            <TicketStatePill state={ticket.state} />
          </td>
          <td>{ticket.priority && <PriorityPill priority={ticket.priority} />}</td>
          <td>
            <Time at={ticket.updatedAt} />
          </td>
        </tr>
      ))}
    </Table>
  );
}

export function NewCustomerPage({ view }: { view: CustomerFormView }) {
  return (
    <Page title="Add customer" here="/customers" narrow>
      <CustomerForm view={view} action="/customers" submit="Add customer" />
    </Page>
  );
}

interface CustomerFormProps {
  readonly view: CustomerFormView;
  readonly action: string;
  readonly submit: string;
}

function CustomerForm({ view: { values, custom, faults, refused }, action, submit }: CustomerFormProps) {
  return (
    <Form action={action} class="card stack" label="Customer">
      {refused && (
        <Notice tone="bad" role="alert">
          {refused}
        </Notice>
      )}
      <Field
        label="E-mail"
        name="email"
        type="email"
        required
        value={values['email'] ?? ''}
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
      <div class="pair">
        {CUSTOMER_FIELDS.filter(({ name }) => name !== 'about').map(({ name, label }) => (
          <Field
            label={label}
            name={wireName(name)}
            value={values[wireName(name)] ?? ''}
            faults={faults}
            autocomplete="off"
            key={name}
          />
        ))}
      </div>
      <Field label="About" name="about" faults={faults}>
        {(attributes) => (
          <textarea {...attributes} rows={3}>
            {values['about'] ?? ''}
          </textarea>
        )}
      </Field>
      <CustomRows custom={custom} />
      <button type="submit" class="primary">
        {submit}
      </button>
    </Form>
  );
}

/** Two empty rows more than there are: without a script, saving brings two further ones. */
function CustomRows({ custom }: { custom: CustomerFormView['custom'] }) {
  const rows = [...custom, ['', ''] as const, ['', ''] as const];
  return (
    <fieldset class="stack">
      <legend>Custom fields</legend>
      {rows.map(([key, value], index) => (
        <div class="pair" key={index}>
          <input
            name={`custom[${index}][name]`}
            value={key}
            placeholder="Name"
            aria-label={`Name of custom field ${index + 1}`}
            maxLength={100}
          />
          <input
            name={`custom[${index}][value]`}
            value={value}
            placeholder="Value"
            aria-label={`Value of custom field ${index + 1}`}
          />
        </div>
      ))}
    </fieldset>
  );
}
