import type { Customer } from '#libs/entities';
import { Avatar, EmptyState } from '../../pages/parts/indicators.js';
import { Pager, Table, type PagerLinks } from '../../pages/parts/table.js';
import { RelativeTime } from '../../pages/parts/relative-time.js';
import { PageLayout } from '../shell/shell.js';
import { customerPath } from './customer-fields.js';

export interface CustomerListView extends PagerLinks {
  readonly q: string | null;
  readonly customers: readonly Customer[];
}

export function CustomerListPage({ view }: { view: CustomerListView }) {
  const { q, customers, next, first } = view;
  return (
    <PageLayout
      title="Customers"
      intro="Everybody who has ever written to you, or was written to."
      actions={
        <a class="button primary" href="/customers/new">
          Add customer
        </a>
      }
    >
      <form action="/customers" role="search" class="search" aria-label="Customers">
        <input
          type="search"
          name="q"
          id="search"
          value={q ?? ''}
          placeholder="Search by name, e-mail or company"
          aria-label="Search customers"
        />
        <button type="submit">Search</button>
      </form>
      {customers.length === 0 ? (
        <NoCustomers q={q} />
      ) : (
        <div>
          <Table
            caption="Customers"
            columns={['Name', 'E-mail', 'Company', 'Location', 'Last change']}
            id="customers"
            live
          >
            {customers.map((customer) => (
              <CustomerRow customer={customer} key={customer.id} />
            ))}
          </Table>
          <Pager next={next} first={first} label={`${customers.length} shown`} />
        </div>
      )}
    </PageLayout>
  );
}

function CustomerRow({ customer }: { customer: Customer }) {
  const name = customer.name() ?? customer.email;
  return (
    <tr>
      <td>
        <span class="row nowrap">
          <Avatar name={name} />
          <a href={customerPath(customer.email)}>{name}</a>
        </span>
      </td>
      <td>{customer.email}</td>
      <td>{customer.companyName}</td>
      <td>{customer.location}</td>
      <td>
        <RelativeTime at={customer.updatedAt} />
      </td>
    </tr>
  );
}

function NoCustomers({ q }: { q: string | null }) {
  if (q === null)
    return (
      <EmptyState title="No customers yet">
        <p>They are added by themselves with their first message. You can also add one by hand.</p>
      </EmptyState>
    );
  return (
    <EmptyState title="No customer matches">
      <p>
        <a href="/customers">Show all customers</a>
      </p>
    </EmptyState>
  );
}
