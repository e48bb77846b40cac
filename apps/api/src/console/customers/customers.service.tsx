import { CustomersService, TicketsService } from '#libs/desk';
import { Refusal, type Customer } from '#libs/entities';
import { Injectable } from '@nestjs/common';
import { ChangeCustomerDto, CustomerDto } from '../../rest/customers/dto/customer.dto.js';
import type { Form } from '../../pages/form.js';
import type { Me } from '../../sign-in/session.guard.js';
import { ACCEPTED, type Refused, actingOf, attempt, checked } from '../forms.js';
import type { PageAnswer, View } from '../../pages/page.js';
import { CustomerPage, NewCustomerPage } from './customer.page.js';
import { customerPath } from './customer-fields.js';
import { type CustomerTyped, customerTyped, nothingTyped, typedOf, wireOf } from './customer-form.js';
import { CustomersPage } from './customers.page.js';

const ROWS = 25;
const TICKETS = 25;

@Injectable()
export class CustomersFlow {
  constructor(
    private readonly customers: CustomersService,
    private readonly tickets: TicketsService,
  ) {}

  async list(me: Me, form: Form): Promise<View> {
    const q = form.text('q') || null;
    const cursor = form.text('cursor') || undefined;
    const request = { page: 1, perPage: ROWS, cursor, q: q ?? undefined };
    const page = await this.customers.list(actingOf(me), request);
    const path = (place: string | null): string =>
      `/customers?${new URLSearchParams({ ...(q && { q }), ...(place && { cursor: place }) })}`;
    const view = { q, customers: page.items, next: page.next && path(page.next), first: cursor ? path(null) : null };
    return { view: <CustomersPage view={view} /> };
  }

  showNew(): View {
    return { view: <NewCustomerPage view={{ ...nothingTyped, ...ACCEPTED }} /> };
  }

  create(me: Me, form: Form): Promise<PageAnswer> {
    const typed = typedOf(form);
    return attempt(
      async () => {
        const dto = await checked(CustomerDto, wireOf(typed));
        const customer = await this.customers.create(actingOf(me), dto.wanted());
        return saved(customer, 'Customer added.');
      },
      (refused) => ({ view: <NewCustomerPage view={{ ...typed, ...refused }} /> }),
    );
  }

  async show(me: Me, email: string): Promise<View> {
    const customer = await this.customers.read(actingOf(me), email);
    return this.page(me, customer, customerTyped(customer), ACCEPTED);
  }

  async change(me: Me, email: string, form: Form): Promise<PageAnswer> {
    const customer = await this.customers.read(actingOf(me), email);
    const typed = typedOf(form);
    return attempt(
      async () => {
        const dto = await checked(ChangeCustomerDto, wireOf(typed, customer.custom));
        return saved(await this.customers.change(actingOf(me), email, dto.wanted()), 'Saved.');
      },
      (refused) => this.page(me, customer, typed, refused),
    );
  }

  async delete(me: Me, email: string): Promise<PageAnswer> {
    try {
      await this.customers.remove(actingOf(me), email);
      return { redirect: '/customers', notice: { tone: 'good', text: `${email} deleted.` } };
    } catch (error) {
      if (!(error instanceof Refusal) || error.kind !== 'conflict') throw error;
      return { redirect: customerPath(email), notice: { tone: 'bad', text: error.message } };
    }
  }

  private async page(me: Me, customer: Customer, typed: CustomerTyped, refused: Refused): Promise<View> {
    const query = { customer: customer.id, sort: '-created_at', page: 1, perPage: TICKETS, cursor: undefined } as const;
    const { items } = await this.tickets.list(actingOf(me), query);
    return { view: <CustomerPage view={{ customer, tickets: items, ...typed, ...refused }} /> };
  }
}

const saved = ({ email }: Customer, text: string): PageAnswer => ({
  redirect: customerPath(email),
  notice: { tone: 'good', text },
});
