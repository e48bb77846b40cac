import type { Customer, Ticket } from '#libs/entities';
import { ticketPath } from '../tickets/index.js';
import { PageLayout } from '../layers/shell/shell.js';
import { DeleteDialog } from '../layers/ui/parts/dialog.js';
import { Field } from '../layers/ui/parts/fields.js';
import { Form, FormAlert, SubmitButton } from '../layers/ui/parts/form.js';
import { EmptyState, PriorityPill, TicketStatePill } from '../layers/ui/parts/indicators.js';
import { RelativeTime } from '../layers/ui/parts/relative-time.js';
import { type Column, Table } from '../layers/ui/parts/table.js';
import { CUSTOMER_FIELDS, type CustomerFormValues, customerPath } from './customer-form.js';

type CustomFieldsProps = Pick<CustomerFormValues, 'custom'>;

export function CustomerDetailPage(props: CustomFieldsProps & { customer: Customer; tickets: readonly Ticket[] }) {
  const { customer, tickets, custom } = props;
  const path = customerPath(customer.email);
  return (
    <PageLayout
      title={customer.name() ?? customer.email}
      intro={customer.email}
      actions={
        <DeleteDialog id="delete-customer" openerClass="danger" name={customer.email} path={path} what="customer">
          <p>To delete a customer who has tickets, delete the tickets first.</p>
        </DeleteDialog>
      }
    >
      <div class="columns">
        <CustomerForm custom={custom} action={path} submit="Save" />
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
    return <EmptyState title="No tickets" text="When this customer writes, the ticket appears here." />;
  return <Table caption="Tickets of this customer" columns={TICKET_COLUMNS} rows={tickets} />;
}

const TICKET_COLUMNS: readonly Column<Ticket>[] = [
  {
    name: 'Ticket',
    plain: true,
    cell: ({ number, title, summary }) => <a href={ticketPath(number)}>{`#${number} ${title ?? summary}`}</a>,
  },
  { name: 'State', plain: true, cell: ({ state }) => <TicketStatePill state={state} /> },
  { name: 'Priority', plain: true, cell: ({ priority }) => priority && <PriorityPill priority={priority} /> },
  { name: 'Last change', cell: ({ updatedAt }) => <RelativeTime at={updatedAt} /> },
];

export function NewCustomerPage({ custom }: CustomFieldsProps) {
  return (
    <PageLayout title="Add customer" narrow>
      <CustomerForm custom={custom} action="/customers" submit="Add customer" />
    </PageLayout>
  );
}

function CustomerForm({ custom, action, submit }: CustomFieldsProps & { action: string; submit: string }) {
  return (
    <Form action={action} class="card stack" label="Customer">
      <FormAlert />
      <Field label="Email" name="email" type="email" required autocomplete="off" />
      <div class="pair">
        <Field label="First name" name="first_name" autocomplete="off" />
        <Field label="Last name" name="last_name" autocomplete="off" />
      </div>
      <div class="pair">
        {CUSTOMER_FIELDS.filter(({ name }) => name !== 'about').map(({ name, label }) => (
          <Field label={label} name={name} autocomplete="off" key={name} />
        ))}
      </div>
      <Field label="About" name="about">
        {(attributes, value) => <textarea {...attributes} rows={3} value={value} />}
      </Field>
      <CustomFieldRows custom={custom} />
      <SubmitButton>{submit}</SubmitButton>
    </Form>
  );
}

/** Always has two empty rows, so that saving adds two more without a script. */
function CustomFieldRows({ custom }: CustomFieldsProps) {
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
