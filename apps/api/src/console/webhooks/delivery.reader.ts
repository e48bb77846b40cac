import { DeliveriesService, WebhooksService } from '#libs/webhooks';
import { Injectable } from '@nestjs/common';
import type { DeliveryView } from './delivery.page.js';
import { webhookOwnerOf } from './webhook-owner.js';
import { Me } from '../../sign-in/session.guard.js';

@Injectable()
export class DeliveryReader {
  constructor(
    private readonly webhooks: WebhooksService,
    private readonly deliveries: DeliveriesService,
  ) {}

  async read(me: Me, id: string): Promise<DeliveryView> {
    const owner = webhookOwnerOf(me);
    const { delivery, attempts, event } = await this.deliveries.read(owner, id);
    const webhook = await this.webhooks.read(owner, delivery.webhookId);
    return { delivery, attempts, webhook, body: event?.payload ?? '' };
  }
}
