import { DomainError, type Customer } from '#libs/entities';
import { CustomersService } from '#libs/tickets';
import { Body, Controller, Get, Param, Post, Query } from '@nestjs/common';
import { IdentifierPipe } from '../edge/identifier.pipe.js';
import { ChangeCustomerDto, CustomerDto } from './customer.dto.js';
import { CustomerDetailPage, NewCustomerPage } from './customer-detail.page.js';
import { customerPath } from './customer-fields.js';
import { type CustomerFormValues, customerFormValues, readCustomerForm, toCustomerBody } from './customer-form.js';
import { CustomerListPage } from './customer-list.page.js';
import { CustomersReader } from './customers.reader.js';
import { redirectWithNotice, type PageResponse, type PageContent } from '../ui/page-response.js';
import { FormFields } from '../ui/form-fields.js';
import { Me } from '../sign-in/session.guard.js';
import { ConsolePages } from '../shell/console-pages.decorator.js';
import { actingOf, submitForm, validateDto } from '../shell/form-submission.js';

const EmailParam = () => Param('email', new IdentifierPipe('customer'));

@Controller('customers')
@ConsolePages({ navigation: { group: 'People', label: 'Customers', icon: 'person' } })
export class CustomerPagesController {
  constructor(
    private readonly customers: CustomersService,
    private readonly reader: CustomersReader,
  ) {}

  @Get()
  async list(@Me() me: Me, @Query() query: unknown): Promise<PageResponse> {
    return { view: <CustomerListPage view={await this.reader.list(me, new FormFields(query))} /> };
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
    const tickets = await this.reader.tickets(me, customer);
    return { view: <CustomerDetailPage customer={customer} tickets={tickets} custom={custom} />, form: { values } };
  }
}
