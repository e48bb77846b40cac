import { type AccountTx, Transactions } from '#libs/database';
import { Conflict, Customer, Message, type ProfileFields, Ticket } from '#libs/entities';
import { EventsService, deleteActivitiesOfTickets } from '#libs/events';
import { Conditions, ListsService, type Order, type Page, type PageRequest, byTime } from '#libs/lists';
import { RECORDS, requireUnchanged } from '#libs/payloads';
import { Injectable } from '@nestjs/common';
import { type Imported, createdAtOf, importOnce } from '../imports.js';
import { type RequestContext, requireManager } from '../request-context.js';
import { indexCustomer } from '../search/search-index.statements.js';
import {
  loadCustomers,
  lockCustomer,
  purgeDeletedTickets,
  readCustomer,
  type CustomerFields,
  findOrCreateCustomer,
  keepFormerEmail,
} from './customer.statements.js';

const NEWEST_FIRST: Order = { name: '-created_at', descending: true, keys: byTime('c', 'created_at') };
const OLDEST_UPDATE_FIRST: Order = { name: 'updated_at', descending: false, keys: byTime('c', 'updated_at') };

export interface CustomerQuery extends PageRequest {
  readonly updatedSince?: Date | undefined;
  readonly email?: string | undefined;
  readonly externalId?: string | undefined;
  readonly q?: string | undefined;
}

const KNOWN_BY = "lower(concat_ws(' ', c.first_name, c.last_name, c.email, c.company_name))";

const within = (q: string): string => `%${q.toLowerCase().replaceAll(/[\\%_]/g, String.raw`\$&`)}%`;

@Injectable()
export class CustomersService {
  constructor(
    private readonly transactions: Transactions,
    private readonly events: EventsService,
    private readonly lists: ListsService,
  ) {}

  list(context: RequestContext, request: CustomerQuery): Promise<Page<Customer>> {
    const conditions = Conditions.forAccount('c');
    if (request.email !== undefined) conditions.add(`c.email = ${conditions.bind(request.email.toLowerCase())}`);
    const { externalId, updatedSince } = request;
    if (externalId !== undefined) conditions.addKey(`c.external_id = ${conditions.bind(externalId)}`);
    if (request.q !== undefined) conditions.add(`${KNOWN_BY} like ${conditions.bind(within(request.q))}`);
    if (updatedSince) conditions.add(`c.updated_at >= ${conditions.bind(updatedSince)}`);
    const order = updatedSince ? OLDEST_UPDATE_FIRST : NEWEST_FIRST;
    const listing = { from: 'customers c', id: 'c.id', conditions, order };
    return this.lists.page(context, listing, request, loadCustomers);
  }

  read(context: RequestContext, emailOrId: string): Promise<Customer> {
    return readCustomer(this.transactions.account(context), emailOrId);
  }

  create(context: RequestContext, wanted: CustomerFields, imported?: Imported): Promise<Customer> {
    return this.transactions.run(context, async (tx, now) => {
      const { customer, added } = await findOrCreateCustomer(tx, wanted, createdAtOf(imported, now));
      if (!added) throw new Conflict('customer_exists', 'A customer with this email already exists.');
      if (imported) await this.events.recordActivity(tx, context, 'customer_imported', { subject: customer.email });
      else await this.events.record(tx, context, ['customer_added', customer]);
      return customer;
    });
  }

  /** Returns the customer with this email or `externalId` if there is one. */
  import(context: RequestContext, wanted: CustomerFields, imported: Imported) {
    requireManager(context);
    const customers = this.transactions.account(context).repository(Customer);
    const { externalId, email } = wanted;
    const find = async () =>
      (externalId ? await customers.findOne({ externalId }) : null) ?? customers.findOne({ email });
    return importOnce(find, () => this.create(context, wanted, imported));
  }

  /** Absent fields stay unchanged; null clears. */
  change(context: RequestContext, emailOrId: string, fields: ProfileFields): Promise<Customer> {
    return this.transactions.run(context, async (tx, now) => {
      const customer = await this.lock(tx, context, emailOrId);
      const { email } = customer;
      if (!customer.change(fields, now)) return customer;
      const { id, accountId: _, ...columns } = customer;
      await tx.repository(Customer).update({ id }, columns);
      if (customer.email !== email) keepFormerEmail(tx, email, id);
      indexCustomer(tx, customer, now);
      await this.events.recordActivity(tx, context, 'customer_changed', { subject: customer.email });
      return customer;
    });
  }

  /** Refused while a ticket or message refers to the customer, because links to it must keep working. */
  remove(context: RequestContext, emailOrId: string): Promise<void> {
    return this.transactions.run(context, async (tx) => {
      const customer = await this.lock(tx, context, emailOrId);
      await deleteActivitiesOfTickets(tx, await purgeDeletedTickets(tx, customer.id));
      const hasTicket = await tx.repository(Ticket).exists({ customerId: customer.id });
      if (hasTicket || (await tx.repository(Message).exists({ authorCustomerId: customer.id })))
        throw new Conflict('customer_has_tickets', 'Delete the customer’s tickets first.');
      // The address must not lead to a customer who had it earlier.
      keepFormerEmail(tx, customer.email, customer.id);
      await tx.repository(Customer).delete({ id: customer.id });
      await this.events.recordActivity(tx, context, 'customer_deleted', { subject: customer.email });
    });
  }

  private async lock(tx: AccountTx, context: RequestContext, emailOrId: string): Promise<Customer> {
    const customer = await lockCustomer(tx, emailOrId);
    requireUnchanged(context, () => [{ customer: RECORDS.Customer(customer, this.events.links) }]);
    return customer;
  }
}
