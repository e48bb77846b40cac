import { CustomersService, TicketsService } from '#libs/desk';
import { DomainError, type Customer } from '#libs/entities';
import { Injectable } from '@nestjs/common';
import { ChangeCustomerDto, CustomerDto } from '../../rest/customers/dto/customer.dto.js';
import type { FormFields } from '../../pages/form-fields.js';
import type { Me } from '../../sign-in/session.guard.js';
import { NO_FORM_ERRORS, type FormErrors, actingOf, submitForm, validateDto } from '../form-submission.js';
import type { PageResponse, PageContent } from '../../pages/page-response.js';
import { CustomerDetailPage, NewCustomerPage } from './customer-detail.page.js';
import { customerPath } from './customer-fields.js';
import {
  type CustomerFormValues,
  customerFormValues,
  emptyCustomerForm,
  readCustomerForm,
  toCustomerBody,
} from './customer-form.js';
import { CustomerListPage } from './customer-list.page.js';

const CUSTOMERS_PER_PAGE = 25;
const TICKETS_SHOWN = 25;

@Injectable()
export class ConsoleCustomersService {
  constructor(
    private readonly customers: CustomersService,
    private readonly tickets: TicketsService,
  ) {}

  async list(me: Me, form: FormFields): Promise<PageContent> {
    const q = form.text('q') || null;
    const cursor = form.text('cursor') || undefined;
    const request = { page: 1, perPage: CUSTOMERS_PER_PAGE, cursor, q: q ?? undefined };
    const page = await this.customers.list(actingOf(me), request);
    const path = (place: string | null): string =>
      `/customers?${new URLSearchParams({ ...(q && { q }), ...(place && { cursor: place }) })}`;
    const view = { q, customers: page.items, next: page.next && path(page.next), first: cursor ? path(null) : null };
    return { view: <CustomerListPage view={view} /> };
  }

  showNew(): PageContent {
    return { view: <NewCustomerPage view={{ ...emptyCustomerForm, ...NO_FORM_ERRORS }} /> };
  }

  create(me: Me, form: FormFields): Promise<PageResponse> {
    const typed = readCustomerForm(form);
    return submitForm(
      async () => {
        const dto = await validateDto(CustomerDto, toCustomerBody(typed));
        const customer = await this.customers.create(actingOf(me), dto.toInput());
        return redirectWithNotice(customer, 'Customer added.');
      },
      (refused) => ({ view: <NewCustomerPage view={{ ...typed, ...refused }} /> }),
    );
  }

  async show(me: Me, email: string): Promise<PageContent> {
    const customer = await this.customers.read(actingOf(me), email);
    return this.page(me, customer, customerFormValues(customer), NO_FORM_ERRORS);
  }

  async change(me: Me, email: string, form: FormFields): Promise<PageResponse> {
    const customer = await this.customers.read(actingOf(me), email);
    const typed = readCustomerForm(form);
    return submitForm(
      async () => {
        const dto = await validateDto(ChangeCustomerDto, toCustomerBody(typed, customer.custom));
        return redirectWithNotice(await this.customers.change(actingOf(me), email, dto.toInput()), 'Saved.');
      },
      (refused) => this.page(me, customer, typed, refused),
    );
  }

  async delete(me: Me, email: string): Promise<PageResponse> {
    try {
      await this.customers.remove(actingOf(me), email);
      return { redirect: '/customers', notice: { tone: 'good', text: `${email} deleted.` } };
    } catch (error) {
      if (!(error instanceof DomainError) || error.kind !== 'conflict') throw error;
      return { redirect: customerPath(email), notice: { tone: 'bad', text: error.message } };
    }
  }

  private async page(me: Me, customer: Customer, typed: CustomerFormValues, refused: FormErrors): Promise<PageContent> {
    const query = {
      customer: customer.id,
      sort: '-created_at',
      page: 1,
      perPage: TICKETS_SHOWN,
      cursor: undefined,
    } as const;
    const { items } = await this.tickets.list(actingOf(me), query);
    return { view: <CustomerDetailPage view={{ customer, tickets: items, ...typed, ...refused }} /> };
  }
}

const redirectWithNotice = ({ email }: Customer, text: string): PageResponse => ({
  redirect: customerPath(email),
  notice: { tone: 'good', text },
});
