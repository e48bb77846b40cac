import { Body, Controller, Get, Post, Query, UseGuards } from '@nestjs/common';
import { Form } from '../../pages/form.js';
import { Me } from '../../sign-in/session.guard.js';
import { DeskPages } from '../shell/desk-pages.js';
import type { PageAnswer } from '../../pages/page.js';
import { ManagersGuard } from '../people/managers.guard.js';
import { WebhooksPages } from './webhooks.pages.js';

@Controller('settings/webhooks')
@UseGuards(ManagersGuard)
@DeskPages()
export class WebhooksPagesController {
  constructor(private readonly pages: WebhooksPages) {}

  @Get()
  list(@Me() me: Me, @Query() query: unknown): Promise<PageAnswer> {
    return this.pages.list(me, new Form(query));
  }

  @Get('new')
  showNew(): PageAnswer {
    return this.pages.showNew();
  }

  @Post()
  create(@Me() me: Me, @Body() body: unknown): Promise<PageAnswer> {
    return this.pages.create(me, body);
  }

  @Get('created')
  showCreated(@Me() me: Me, @Query() query: unknown): Promise<PageAnswer> {
    return this.pages.showCreated(me, new Form(query));
  }
}
