import { Body, Controller, Get, Param, Post, Query } from '@nestjs/common';
import { NamePipe } from '../../http/name.pipe.js';
import { Form } from '../../pages/form.js';
import { Me } from '../../sign-in/session.guard.js';
import { DeskPages } from '../shell/desk-pages.js';
import type { PageAnswer } from '../../pages/page.js';
import { CustomersFlow } from './customers.flow.js';

const Who = () => Param('email', new NamePipe('customer'));

@Controller('customers')
@DeskPages()
export class CustomersPagesController {
  constructor(private readonly customers: CustomersFlow) {}

  @Get()
  list(@Me() me: Me, @Query() query: unknown): Promise<PageAnswer> {
    return this.customers.list(me, new Form(query));
  }

  @Get('new')
  showNew(): PageAnswer {
    return this.customers.showNew();
  }

  @Post()
  create(@Me() me: Me, @Body() body: unknown): Promise<PageAnswer> {
    return this.customers.create(me, new Form(body));
  }

  @Get(':email')
  show(@Me() me: Me, @Who() email: string): Promise<PageAnswer> {
    return this.customers.show(me, email);
  }

  @Post(':email')
  change(@Me() me: Me, @Who() email: string, @Body() body: unknown): Promise<PageAnswer> {
    return this.customers.change(me, email, new Form(body));
  }

  @Post(':email/delete')
  delete(@Me() me: Me, @Who() email: string): Promise<PageAnswer> {
    return this.customers.delete(me, email);
  }
}
