import { Body, Controller, Get, Param, Post, Query } from '@nestjs/common';
import { IdentifierPipe } from '../../http/identifier.pipe.js';
import { FormFields } from '../../pages/form-fields.js';
import { Me } from '../../sign-in/session.guard.js';
import { ConsolePages } from '../shell/console-pages.decorator.js';
import type { PageResponse } from '../../pages/page-response.js';
import { ConsoleCustomersService } from './customers.service.js';

const EmailParam = () => Param('email', new IdentifierPipe('customer'));

@Controller('customers')
@ConsolePages()
export class ConsoleCustomersController {
  constructor(private readonly customers: ConsoleCustomersService) {}

  @Get()
  list(@Me() me: Me, @Query() query: unknown): Promise<PageResponse> {
    return this.customers.list(me, new FormFields(query));
  }

  @Get('new')
  showNew(): PageResponse {
    return this.customers.showNew();
  }

  @Post()
  create(@Me() me: Me, @Body() body: unknown): Promise<PageResponse> {
    return this.customers.create(me, new FormFields(body));
  }

  @Get(':email')
  show(@Me() me: Me, @EmailParam() email: string): Promise<PageResponse> {
    return this.customers.show(me, email);
  }

  @Post(':email')
  change(@Me() me: Me, @EmailParam() email: string, @Body() body: unknown): Promise<PageResponse> {
    return this.customers.change(me, email, new FormFields(body));
  }

  @Post(':email/delete')
  delete(@Me() me: Me, @EmailParam() email: string): Promise<PageResponse> {
    return this.customers.delete(me, email);
  }
}
