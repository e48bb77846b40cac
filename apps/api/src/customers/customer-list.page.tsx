import type { Customer } from '#libs/entities';
import { PageLayout } from '../layers/shell/shell.js';
import { Avatar, EmptyState, NothingMatches } from '../layers/ui/parts/indicators.js';
import { RelativeTime } from '../layers/ui/parts/relative-time.js';
import { type Column, Pager, type PagerLinks, Table } from '../layers/ui/parts/table.js';
import { customerPath } from './customer-form.js';

export function CustomerListPage(props: PagerLinks & { q: string | null; customers: readonly Customer[] }) {
  const { q, customers, ...pager } = props;
  return (
    <PageLayout
      title="Customers"
      intro="Everyone who has written to you or received a message from you."
      actions={
        <a class="button primary" href="/customers/new">
          Add customer
        </a>
      }
    >
      <form action="/customers" role="search" class="row nowrap" aria-label="Customers">
        <input
          type="search"
          name="q"
          id="search"
          value={q ?? ''}
          placeholder="Search by name, email or company"
          aria-label="Search customers"
        />
        <button type="submit">Search</button>
      </form>
      {customers.length === 0 ? (
        <NoCustomers q={q} />
      ) : (
        <div>
          <Table caption="Customers" columns={COLUMNS} rows={customers} id="customers" live />
          <Pager {...pager} label={`${customers.length} shown`} />
        </div>
      )}
    </PageLayout>
  );
}

const COLUMNS: readonly Column<Customer>[] = [
  {
    name: 'Name',
    plain: true,
    cell: (customer) => {
      const name = customer.name() ?? customer.email;
      return (
        <span class="row nowrap">
          <Avatar name={name} />
          <a href={customerPath(customer.email)}>{name}</a>
        </span>
      );
    },
  },
  { name: 'Email', plain: true, cell: ({ email }) => email },
  { name: 'Company', plain: true, cell: ({ companyName }) => companyName },
  { name: 'Location', plain: true, cell: ({ location }) => location },
  { name: 'Last change', cell: ({ updatedAt }) => <RelativeTime at={updatedAt} /> },
];

function NoCustomers({ q }: { q: string | null }) {
  if (q === null)
    return (
      <EmptyState
        title="No customers yet"
        text="Customers are added automatically with their first message. You can also add one by hand."
      />
    );
  return <NothingMatches title="No customer matches" href="/customers" label="Show all customers" />;
}
