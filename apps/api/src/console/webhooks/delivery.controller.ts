import { Clock } from '#libs/database';
import { DeliveriesService, ReplaysService } from '#libs/webhooks';
import { Body, Controller, Get, Param, Post, UseGuards } from '@nestjs/common';
import { FormFields } from '../../pages/form-fields.js';
import { Me } from '../../sign-in/session.guard.js';
import { ConsolePages } from '../shell/console-pages.decorator.js';
import { submitForm } from '../form-submission.js';
import type { PageResponse } from '../../pages/page-response.js';
import { ManagerGuard } from '../people/manager.guard.js';
import { deliveryPath } from './deliveries-table.js';
import { webhookOwnerOf } from './webhook-owner.js';
import { UNFILTERED, WebhookDetailReader } from './webhook-detail.reader.js';
import { webhookPath } from './webhook-list.page.js';

const HOUR_MS = 3_600_000;
const MAX_REPLAY_HOURS = 720;

@Controller('settings/deliveries/:id')
@UseGuards(ManagerGuard)
@ConsolePages()
export class ConsoleDeliveryController {
  constructor(
    private readonly pages: WebhookDetailReader,
    private readonly deliveries: DeliveriesService,
  ) {}

  @Get()
  show(@Me() me: Me, @Param('id') id: string): Promise<PageResponse> {
    return this.pages.delivery(me, id);
  }

  /** Back to the list it was pressed in, or to the delivery itself. */
  @Post('redeliver')
  async redeliver(@Me() me: Me, @Param('id') id: string, @Body() body: unknown): Promise<PageResponse> {
    const { webhookId } = await this.deliveries.redeliver(webhookOwnerOf(me), id);
    const redirect = new FormFields(body).text('list') === 'yes' ? webhookPath(webhookId) : deliveryPath(id);
    return { redirect, notice: { tone: 'good', text: 'On its way again.' } };
  }
}

@Controller('settings/webhooks/:id')
@UseGuards(ManagerGuard)
@ConsolePages()
export class ConsoleReplaysController {
  constructor(
    private readonly pages: WebhookDetailReader,
    private readonly replays: ReplaysService,
    private readonly clock: Clock,
  ) {}

  @Post('replay')
  start(@Me() me: Me, @Param('id') id: string, @Body() body: unknown): Promise<PageResponse> {
    const form = new FormFields(body);
    const hours = Math.min(Math.max(Number(form.text('hours')) || 1, 1), MAX_REPLAY_HOURS);
    const since = new Date(this.clock.now().getTime() - hours * HOUR_MS);
    return submitForm(
      async () => {
        await this.replays.start(webhookOwnerOf(me), id, {
          choice: form.text('which') === 'all' ? 'all' : 'failed',
          since,
        });
        return { redirect: webhookPath(id), notice: { tone: 'good', text: 'Replay started.' } };
      },
      (refused) => this.pages.show(me, id, UNFILTERED, refused),
    );
  }

  @Post('replays/:replay/cancel')
  async cancel(@Me() me: Me, @Param('id') id: string, @Param('replay') replay: string): Promise<PageResponse> {
    await this.replays.cancel(webhookOwnerOf(me), replay);
    return { redirect: webhookPath(id), notice: { tone: 'good', text: 'Replay cancelled.' } };
  }
}
