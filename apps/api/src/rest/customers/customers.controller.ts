import { CustomersService } from '#libs/desk';
import { type Customer } from '#libs/entities';
import { Links, customerPayload } from '#libs/payloads';
import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post, Put, Query, UseGuards } from '@nestjs/common';
import { Describe } from '../../docs/describe.js';
import { Created, Listed } from '../../http/answers.js';
import { NamePipe } from '../../http/name.pipe.js';
import { BearerGuard } from '../../oauth/bearer.guard.js';
import { Caller } from '../../oauth/caller.js';
import { ChangeCustomerDto, CustomerDto, CustomersQueryDto } from './dto/customer.dto.js';

const EMAIL = new NamePipe('customer');

@Controller('v1/customers')
@UseGuards(BearerGuard)
export class CustomersController {
  constructor(
    private readonly customers: CustomersService,
    private readonly links: Links,
  ) {}

  @Get()
  @Describe('List customers, newest first', { list: ['customers', 'Customer'] })
  async list(@Caller() caller: Caller, @Query() query: CustomersQueryDto) {
    return new Listed('customers', await this.customers.list(caller, query.wanted()), this.payload);
  }

  @Post()
  @Describe('Add a customer', { created: ['customer', 'Customer'], conflicts: ['customer_exists'] })
  async create(@Caller() caller: Caller, @Body() dto: CustomerDto) {
    const customer = await this.customers.create(caller, dto.wanted());
    return new Created(this.links.customer(customer.email), this.present(customer));
  }

  @Get(':email')
  @Describe('Read a customer', { one: ['customer', 'Customer'] })
  async read(@Caller() caller: Caller, @Param('email', EMAIL) email: string) {
    return this.present(await this.customers.read(caller, email));
  }

  @Put(':email')
  @Describe('Change a customer; absent fields stay', { one: ['customer', 'Customer'], conflicts: ['customer_exists'] })
  async replace(@Caller() caller: Caller, @Param('email', EMAIL) email: string, @Body() dto: ChangeCustomerDto) {
    return this.present(await this.customers.change(caller, email, dto.wanted()));
  }

  @Patch(':email')
  @Describe('Change a customer; absent fields stay', { one: ['customer', 'Customer'], conflicts: ['customer_exists'] })
  async change(@Caller() caller: Caller, @Param('email', EMAIL) email: string, @Body() dto: ChangeCustomerDto) {
    return this.present(await this.customers.change(caller, email, dto.wanted()));
  }

  @Delete(':email')
  @HttpCode(204)
  @Describe('Delete a customer without tickets', { conflicts: ['customer_has_tickets'] })
  remove(@Caller() caller: Caller, @Param('email', EMAIL) email: string): Promise<void> {
    return this.customers.remove(caller, email);
  }

  private readonly payload = (customer: Customer) => customerPayload(customer, this.links);
  private readonly present = (customer: Customer) => ({ customer: this.payload(customer) });
}
