import { CustomersService } from '#libs/desk';
import { DomainError, type Customer } from '#libs/entities';
import { Body, Controller, Get, Param, Post, Query } from '@nestjs/common';
import { IdentifierPipe } from '../../http/identifier.pipe.js';
import { ChangeCustomerDto, CustomerDto } from '../../rest/customers/dto/customer.dto.js';
import { CustomerDetailPage, type CustomerFormView, NewCustomerPage } from './customer-detail.page.js';
import { customerPath } from './customer-fields.js';
import { customerFormValues, emptyCustomerForm, readCustomerForm, toCustomerBody } from './customer-form.js';
import { CustomerListPage } from './customer-list.page.js';
import { CustomersReader } from './customers.reader.js';
import { redirectWithNotice, type PageResponse, type PageContent } from '../../pages/page-response.js';
import { FormFields } from '../../pages/form-fields.js';
import { Me } from '../../sign-in/session.guard.js';
import { ConsolePages } from '../shell/console-pages.decorator.js';
import { actingOf, submitForm, validateDto, NO_FORM_ERRORS } from '../form-submission.js';

const EmailParam = () => Param('email', new IdentifierPipe('customer'));

@Controller('customers')
@ConsolePages({ navigation: { group: 'People', label: 'Customers', icon: 'person' } })
export class ConsoleCustomersController {
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
    return { view: <NewCustomerPage view={{ ...emptyCustomerForm, ...NO_FORM_ERRORS }} /> };
  }

  @Post()
  create(@Me() me: Me, @Body() body: unknown): Promise<PageResponse> {
    const typed = readCustomerForm(new FormFields(body));
    return submitForm(
      async () => {
        const dto = await validateDto(CustomerDto, toCustomerBody(typed));
        const { email } = await this.customers.create(actingOf(me), dto.toInput());
        return redirectWithNotice(customerPath(email), 'Customer added.');
      },
      (refused) => ({ view: <NewCustomerPage view={{ ...typed, ...refused }} /> }),
    );
  }

  @Get(':email')
  async show(@Me() me: Me, @EmailParam() email: string): Promise<PageResponse> {
    const customer = await this.customers.read(actingOf(me), email);
    return this.page(me, customer, { ...customerFormValues(customer), ...NO_FORM_ERRORS });
  }

  @Post(':email')
  async change(@Me() me: Me, @EmailParam() email: string, @Body() body: unknown): Promise<PageResponse> {
    const customer = await this.customers.read(actingOf(me), email);
    const typed = readCustomerForm(new FormFields(body));
    return submitForm(
      async () => {
        const dto = await validateDto(ChangeCustomerDto, toCustomerBody(typed, customer.custom));
        const changed = await this.customers.change(actingOf(me), email, dto.toInput());
        return redirectWithNotice(customerPath(changed.email), 'Saved.');
      },
      (refused) => this.page(me, customer, { ...typed, ...refused }),
    );
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

  private async page(me: Me, customer: Customer, form: CustomerFormView): Promise<PageContent> {
    return { view: <CustomerDetailPage view={await this.reader.detail(me, customer, form)} /> };
  }
}
