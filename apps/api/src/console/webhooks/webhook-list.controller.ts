import { Body, Controller, Get, Post, Query, UseGuards } from '@nestjs/common';
import { FormFields } from '../../pages/form-fields.js';
import { Me } from '../../sign-in/session.guard.js';
import { ConsolePages } from '../shell/console-pages.decorator.js';
import type { PageResponse } from '../../pages/page-response.js';
import { ManagerGuard } from '../people/manager.guard.js';
import { ConsoleWebhookListService } from './webhook-list.service.js';

@Controller('settings/webhooks')
@UseGuards(ManagerGuard)
@ConsolePages()
export class ConsoleWebhookListController {
  constructor(private readonly pages: ConsoleWebhookListService) {}

  @Get()
  list(@Me() me: Me, @Query() query: unknown): Promise<PageResponse> {
    return this.pages.list(me, new FormFields(query));
  }

  @Get('new')
  showNew(): PageResponse {
    return this.pages.showNew();
  }

  @Post()
  create(@Me() me: Me, @Body() body: unknown): Promise<PageResponse> {
    return this.pages.create(me, body);
  }

  @Get('created')
  showCreated(@Me() me: Me, @Query() query: unknown): Promise<PageResponse> {
    return this.pages.showCreated(me, new FormFields(query));
  }
}
