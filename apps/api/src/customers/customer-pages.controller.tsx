import { DomainError, type Customer } from '#libs/entities';
import { CustomersService, TicketsService } from '#libs/tickets';
import { Body, Get, Param, Post, Query } from '@nestjs/common';
import { IdentifierPipe } from '../layers/edge/path-parameter.pipes.js';
import { ConsolePages } from '../layers/shell/console-pages.decorator.js';
import { actingOf } from '../layers/shell/acting.js';
import { submitForm, validateDto } from '../layers/shell/form-submission.js';
import { Me } from '../layers/sign-in/me.decorator.js';
import { FormFields } from '../layers/ui/form-fields.js';
import { redirectWithNotice, type PageResponse, type PageContent } from '../layers/ui/page-response.js';
import { pagerLinks } from '../layers/ui/parts/table.js';
import { CustomerDetailPage, NewCustomerPage } from './customer-detail.page.js';
import {
  type CustomerFormValues,
  customerFormValues,
  customerPath,
  readCustomerForm,
  toCustomerBody,
} from './customer-form.js';
import { CustomerListPage } from './customer-list.page.js';
import { ChangeCustomerDto, CustomerDto } from './customers.dto.js';

const CUSTOMERS_PER_PAGE = 25;
const TICKETS_SHOWN = 25;

const EmailParam = () => Param('email', new IdentifierPipe('customer'));

@ConsolePages('customers', 'agents', { group: 'People', label: 'Customers', icon: 'person' })
export class CustomerPagesController {
  constructor(
    private readonly customers: CustomersService,
    private readonly tickets: TicketsService,
  ) {}

  @Get()
  async list(@Me() me: Me, @Query() parameters: unknown): Promise<PageResponse> {
    const query = new FormFields(parameters);
    const q = query.text('q') || null;
    const cursor = query.text('cursor') || undefined;
    const request = { page: 1, perPage: CUSTOMERS_PER_PAGE, cursor, q: q ?? undefined };
    const { items, next } = await this.customers.list(actingOf(me), request);
    const pager = pagerLinks('/customers', { q }, { cursor, next });
    return { view: <CustomerListPage q={q} customers={items} {...pager} /> };
  }

  @Get('new')
  showNew(): PageResponse {
    return { view: <NewCustomerPage custom={[]} /> };
  }

  @Post()
  create(@Me() me: Me, @Body() body: unknown): Promise<PageResponse> {
    const typed = readCustomerForm(new FormFields(body));
    const again = (): PageContent => ({ view: <NewCustomerPage custom={typed.custom} /> });
    return submitForm({ again, typed: typed.values }, async () => {
      const dto = await validateDto(CustomerDto, toCustomerBody(typed));
      const { email } = await this.customers.create(actingOf(me), dto.toInput());
      return redirectWithNotice(customerPath(email), 'Customer added.');
    });
  }

  @Get(':email')
  async show(@Me() me: Me, @EmailParam() email: string): Promise<PageResponse> {
    const customer = await this.customers.read(actingOf(me), email);
    return this.page(me, customer, customerFormValues(customer));
  }

  @Post(':email')
  async change(@Me() me: Me, @EmailParam() email: string, @Body() body: unknown): Promise<PageResponse> {
    const customer = await this.customers.read(actingOf(me), email);
    const typed = readCustomerForm(new FormFields(body));
    return submitForm({ again: () => this.page(me, customer, typed) }, async () => {
      const dto = await validateDto(ChangeCustomerDto, toCustomerBody(typed, customer.custom));
      const changed = await this.customers.change(actingOf(me), email, dto.toInput());
      return redirectWithNotice(customerPath(changed.email), 'Saved.');
    });
  }

  @Post(':email/delete')
  async delete(@Me() me: Me, @EmailParam() email: string): Promise<PageResponse> {
    try {
      await this.customers.remove(actingOf(me), email);
      return redirectWithNotice('/customers', `${email} deleted.`);
    } catch (error) {
      if (!(error instanceof DomainError) || error.kind !== 'conflict') throw error;
      return redirectWithNotice(customerPath(email), error.message, 'bad');
    }
  }

  private async page(me: Me, customer: Customer, { values, custom }: CustomerFormValues): Promise<PageContent> {
    const { items } = await this.tickets.list(actingOf(me), {
      customer: customer.id,
      sort: '-created_at',
      page: 1,
      perPage: TICKETS_SHOWN,
      cursor: undefined,
    });
    return { view: <CustomerDetailPage customer={customer} tickets={items} custom={custom} />, form: { values } };
  }
}
