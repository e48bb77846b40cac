import type { Customer, Ticket } from '#libs/entities';
import { ticketPath } from '../inbox/inbox-query.js';
import { ConfirmDialog } from '../../pages/parts/dialog.js';
import { Field, Form, FormAlert } from '../../pages/parts/form.js';
import { EmptyState, PriorityPill, TicketStatePill } from '../../pages/parts/indicators.js';
import { Table } from '../../pages/parts/table.js';
import { RelativeTime } from '../../pages/parts/relative-time.js';
import { PageLayout } from '../shell/shell.js';
import { type CustomerFormValues, apiFieldName } from './customer-form.js';
import { CUSTOMER_FIELDS, customerPath } from './customer-fields.js';
import type { FormErrors } from '../form-submission.js';

export interface CustomerFormView extends CustomerFormValues, FormErrors {}

export interface CustomerDetailView extends CustomerFormView {
  readonly customer: Customer;
  readonly tickets: readonly Ticket[];
}

export function CustomerDetailPage({ view }: { view: CustomerDetailView }) {
  const { customer, tickets } = view;
  const path = customerPath(customer.email);
  return (
    <PageLayout
      title={customer.name() ?? customer.email}
      intro={customer.email}
      actions={
        <ConfirmDialog
          id="delete-customer"
          opener="Delete…"
          openerClass="danger"
          title={`Delete ${customer.email}?`}
          action={`${path}/delete`}
          confirm="Delete customer"
        >
          <p>A customer with tickets cannot be deleted: delete those first.</p>
        </ConfirmDialog>
      }
    >
      <div class="columns">
        <CustomerForm view={view} action={path} submit="Save" />
        <section class="stack" aria-labelledby="their-tickets">
          <h2 id="their-tickets">Tickets</h2>
          <CustomerTickets tickets={tickets} />
        </section>
      </div>
    </PageLayout>
  );
}

function CustomerTickets({ tickets }: { tickets: readonly Ticket[] }) {
  if (tickets.length === 0)
    return (
      <EmptyState title="No tickets">
        <p>When this customer writes, the ticket appears here.</p>
      </EmptyState>
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
            <RelativeTime at={ticket.updatedAt} />
          </td>
        </tr>
      ))}
    </Table>
  );
}

export function NewCustomerPage({ view }: { view: CustomerFormView }) {
  return (
    <PageLayout title="Add customer" narrow>
      <CustomerForm view={view} action="/customers" submit="Add customer" />
    </PageLayout>
  );
}

interface CustomerFormProps {
  readonly view: CustomerFormView;
  readonly action: string;
  readonly submit: string;
}

function CustomerForm({ view: { values, custom, faults, formError }, action, submit }: CustomerFormProps) {
  return (
    <Form action={action} class="card stack" label="Customer">
      <FormAlert>{formError}</FormAlert>
      <Field label="E-mail" name="email" type="email" required values={values} faults={faults} autocomplete="off" />
      <div class="pair">
        <Field label="First name" name="first_name" values={values} faults={faults} autocomplete="off" />
        <Field label="Last name" name="last_name" values={values} faults={faults} autocomplete="off" />
      </div>
      <div class="pair">
        {CUSTOMER_FIELDS.filter(({ name }) => name !== 'about').map(({ name, label }) => (
          <Field
            label={label}
            name={apiFieldName(name)}
            values={values}
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
      <CustomFieldRows custom={custom} />
      <button type="submit" class="primary">
        {submit}
      </button>
    </Form>
  );
}

/** There are always two empty rows. Without a script, saving adds two more. */
function CustomFieldRows({ custom }: { custom: CustomerFormView['custom'] }) {
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
