import { Clock } from '#libs/database';
import { DeliveriesService, ReplaysService } from '#libs/webhooks';
import { Body, Controller, Get, Param, Post, UseGuards } from '@nestjs/common';
import { Form } from '../../pages/form.js';
import { Me } from '../../sign-in/session.guard.js';
import { DeskPages } from '../shell/desk-pages.js';
import { attempt } from '../forms.js';
import type { PageAnswer } from '../../pages/page.js';
import { ManagersGuard } from '../people/managers.guard.js';
import { deliveryPath } from './deliveries-table.js';
import { ownerOf } from './owner.js';
import { UNFILTERED, WebhookPages } from './webhook.pages.js';
import { webhookPath } from './webhooks.page.js';

const HOUR_MS = 3_600_000;
const LONGEST_HOURS = 720;

@Controller('settings/deliveries/:id')
@UseGuards(ManagersGuard)
@DeskPages()
export class DeliveryPagesController {
  constructor(
    private readonly pages: WebhookPages,
    private readonly deliveries: DeliveriesService,
  ) {}

  @Get()
  show(@Me() me: Me, @Param('id') id: string): Promise<PageAnswer> {
    return this.pages.delivery(me, id);
  }

  /** Back to the list it was pressed in, or to the delivery itself. */
  @Post('redeliver')
  async redeliver(@Me() me: Me, @Param('id') id: string, @Body() body: unknown): Promise<PageAnswer> {
    const { webhookId } = await this.deliveries.redeliver(ownerOf(me), id);
    const redirect = new Form(body).text('list') === 'yes' ? webhookPath(webhookId) : deliveryPath(id);
    return { redirect, notice: { tone: 'good', text: 'On its way again.' } };
  }
}

@Controller('settings/webhooks/:id')
@UseGuards(ManagersGuard)
@DeskPages()
export class ReplaysPagesController {
  constructor(
    private readonly pages: WebhookPages,
    private readonly replays: ReplaysService,
    private readonly clock: Clock,
  ) {}

  @Post('replay')
  start(@Me() me: Me, @Param('id') id: string, @Body() body: unknown): Promise<PageAnswer> {
    const form = new Form(body);
    const hours = Math.min(Math.max(Number(form.text('hours')) || 1, 1), LONGEST_HOURS);
    const since = new Date(this.clock.now().getTime() - hours * HOUR_MS);
    return attempt(
      async () => {
        await this.replays.start(ownerOf(me), id, { choice: form.text('which') === 'all' ? 'all' : 'failed', since });
        return { redirect: webhookPath(id), notice: { tone: 'good', text: 'Replay started.' } };
      },
      (refused) => this.pages.show(me, id, UNFILTERED, refused),
    );
  }

  @Post('replays/:replay/cancel')
  async cancel(@Me() me: Me, @Param('id') id: string, @Param('replay') replay: string): Promise<PageAnswer> {
    await this.replays.cancel(ownerOf(me), replay);
    return { redirect: webhookPath(id), notice: { tone: 'good', text: 'Replay cancelled.' } };
  }
}
