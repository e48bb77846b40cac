import { CustomersService } from '#libs/desk';
import { type Customer } from '#libs/entities';
import { Links, customerPayload } from '#libs/payloads';
import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post, Put, Query } from '@nestjs/common';
import { ApiOperation } from '../../docs/api-operation.js';
import { CreatedResponse, ListResponse } from '../../http/responses.js';
import { IdentifierPipe } from '../../http/identifier.pipe.js';
import { Caller } from '../../oauth/caller.js';
import { ChangeCustomerDto, CustomerDto, CustomersQueryDto } from './dto/customer.dto.js';

const EMAIL = new IdentifierPipe('customer');

@Controller('v1/customers')
export class CustomersController {
  constructor(
    private readonly customers: CustomersService,
    private readonly links: Links,
  ) {}

  @Get()
  @ApiOperation('List customers, newest first', { list: ['customers', 'Customer'] })
  async list(@Caller() caller: Caller, @Query() query: CustomersQueryDto) {
    return new ListResponse('customers', await this.customers.list(caller, query.toQuery()), this.payload);
  }

  @Post()
  @ApiOperation('Add a customer', { created: ['customer', 'Customer'], conflicts: ['customer_exists'] })
  async create(@Caller() caller: Caller, @Body() dto: CustomerDto) {
    const customer = await this.customers.create(caller, dto.toInput());
    return new CreatedResponse(this.links.customer(customer.email), this.present(customer));
  }

  @Get(':email')
  @ApiOperation('Read a customer', { record: ['customer', 'Customer'] })
  async read(@Caller() caller: Caller, @Param('email', EMAIL) email: string) {
    return this.present(await this.customers.read(caller, email));
  }

  @Put(':email')
  @ApiOperation('Change a customer; absent fields stay', {
    record: ['customer', 'Customer'],
    conflicts: ['customer_exists'],
  })
  async replace(@Caller() caller: Caller, @Param('email', EMAIL) email: string, @Body() dto: ChangeCustomerDto) {
    return this.present(await this.customers.change(caller, email, dto.toInput()));
  }

  @Patch(':email')
  @ApiOperation('Change a customer; absent fields stay', {
    record: ['customer', 'Customer'],
    conflicts: ['customer_exists'],
  })
  async change(@Caller() caller: Caller, @Param('email', EMAIL) email: string, @Body() dto: ChangeCustomerDto) {
    return this.present(await this.customers.change(caller, email, dto.toInput()));
  }

  @Delete(':email')
  @HttpCode(204)
  @ApiOperation('Delete a customer without tickets', { conflicts: ['customer_has_tickets'] })
  remove(@Caller() caller: Caller, @Param('email', EMAIL) email: string): Promise<void> {
    return this.customers.remove(caller, email);
  }

  private readonly payload = (customer: Customer) => customerPayload(customer, this.links);
  private readonly present = (customer: Customer) => ({ customer: this.payload(customer) });
}
