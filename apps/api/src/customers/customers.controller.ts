import { isUuid } from '#libs/database';
import { Links } from '#libs/payloads';
import { CustomersService } from '#libs/tickets';
import { Body, Controller, Delete, Get, Param, Patch, Post, Put, Query } from '@nestjs/common';
import { ApiOperation } from '../layers/edge/api-operation.decorator.js';
import { Caller, Exchange } from '../layers/edge/caller.js';
import { IdentifierPipe } from '../layers/edge/path-parameter.pipes.js';
import { importedOf, showImported } from '../layers/oauth/imports.js';
import { ScopesByMethod } from '../layers/oauth/required-scopes.js';
import { ChangeCustomerDto, CreateCustomerDto, CustomersQueryDto } from './customers.dto.js';

const EMAIL = new IdentifierPipe('customer');

const Changes = ApiOperation('Change a customer; absent fields keep their values', {
  record: ['customer', 'Customer'],
  conflicts: ['customer_exists', 'external_id_taken'],
});

@Controller('v1/customers')
@ScopesByMethod('customers:read', 'customers:write')
export class CustomersController {
  constructor(
    private readonly customers: CustomersService,
    private readonly links: Links,
  ) {}

  @Get()
  @ApiOperation('List customers, newest first', { list: ['customers', 'Customer'] })
  listCustomers(@Caller() caller: Caller, @Query() query: CustomersQueryDto) {
    return this.customers.list(caller, query.toQuery());
  }

  @Post()
  @ApiOperation('Add a customer', {
    created: ['customer', 'Customer'],
    mayExist: true,
    conflicts: ['customer_exists', 'external_id_taken'],
    emits: ['customer_added'],
  })
  async createCustomer(@Caller() caller: Caller, @Body() dto: CreateCustomerDto, @Exchange() exchange: Exchange) {
    const imported = importedOf(dto, caller);
    if (!imported) return this.customers.create(caller, dto.toInput());
    return showImported(await this.customers.import(caller, dto.toInput(), imported), exchange);
  }

  @Get(':email')
  @ApiOperation('Read a customer', { record: ['customer', 'Customer'], moves: true })
  async readCustomer(@Caller() caller: Caller, @Param('email', EMAIL) email: string, @Exchange() { reply }: Exchange) {
    const customer = await this.customers.read(caller, email);
    if (!isUuid(email) && customer.email !== email.toLowerCase())
      // Not cached, because another customer may take over the address.
      void reply.status(301).headers({ location: this.links.customer(customer.email), 'cache-control': 'no-store' });
    return customer;
  }

  @Put(':email')
  @Changes
  putCustomer(@Caller() caller: Caller, @Param('email', EMAIL) email: string, @Body() dto: ChangeCustomerDto) {
    return this.customers.change(caller, email, dto.toInput());
  }

  @Patch(':email')
  @Changes
  changeCustomer(@Caller() caller: Caller, @Param('email', EMAIL) email: string, @Body() dto: ChangeCustomerDto) {
    return this.customers.change(caller, email, dto.toInput());
  }

  @Delete(':email')
  @ApiOperation('Delete a customer without tickets', { conflicts: ['customer_has_tickets'] })
  deleteCustomer(@Caller() caller: Caller, @Param('email', EMAIL) email: string): Promise<void> {
    return this.customers.remove(caller, email);
  }
}
