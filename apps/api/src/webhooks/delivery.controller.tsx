import { Database } from '#libs/database';
import { DeliveriesService, WebhooksService } from '#libs/webhooks';
import { Body, Controller, Get, Param, Post } from '@nestjs/common';
import { DeliveryPage } from './delivery.page.js';
import { webhookOwnerOf } from './webhook-owner.js';
import { findSubjects } from './webhooks.statements.js';
import { redirectWithNotice, type PageResponse } from '../ui/page-response.js';
import { webhookPath, deliveryPath } from '../shell/webhook-paths.js';
import { FormFields } from '../ui/form-fields.js';
import { Me } from '../sign-in/session.guard.js';
import { ConsolePages } from '../shell/console-pages.decorator.js';

@Controller('settings/deliveries/:id')
@ConsolePages({ audience: 'managers' })
export class DeliveryController {
  constructor(
    private readonly webhooks: WebhooksService,
    private readonly deliveries: DeliveriesService,
    private readonly database: Database,
  ) {}

  @Get()
  async show(@Me() me: Me, @Param('id') id: string): Promise<PageResponse> {
    const owner = webhookOwnerOf(me);
    const read = await this.deliveries.read(owner, id);
    const { webhookId, eventId } = read.delivery;
    const webhook = await this.webhooks.read(owner, webhookId);
    const subjects = await findSubjects(this.database.account(me.accountId), [eventId]);
    return { view: <DeliveryPage {...read} webhook={webhook} subject={subjects.get(eventId)} /> };
  }

  @Post('redeliver')
  async redeliver(@Me() me: Me, @Param('id') id: string, @Body() body: unknown): Promise<PageResponse> {
    const { webhookId } = await this.deliveries.redeliver(webhookOwnerOf(me), id);
    const back = new FormFields(body).text('list') === 'yes' ? webhookPath(webhookId) : deliveryPath(id);
    return redirectWithNotice(back, 'Redelivery started.');
  }
}
