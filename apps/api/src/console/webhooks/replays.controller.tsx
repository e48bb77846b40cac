import { Clock } from '#libs/database';
import { ReplaysService } from '#libs/webhooks';
import { Body, Controller, Param, Post } from '@nestjs/common';
import { WebhookDetailPage } from './webhook-detail.page.js';
import { WebhookDetailReader } from './webhook-detail.reader.js';
import { webhookOwnerOf } from './webhook-owner.js';
import { redirectWithNotice, type PageContent, type PageResponse } from '../../pages/page-response.js';
import { webhookPath } from './webhook-paths.js';
import { FormFields } from '../../pages/form-fields.js';
import { Me } from '../../sign-in/session.guard.js';
import { ConsolePages } from '../shell/console-pages.decorator.js';
import { submitForm } from '../form-submission.js';

const HOUR_MS = 3_600_000;
const MAX_REPLAY_HOURS = 720;

@Controller('settings/webhooks/:id')
@ConsolePages({ audience: 'managers' })
export class ConsoleReplaysController {
  constructor(
    private readonly reader: WebhookDetailReader,
    private readonly replays: ReplaysService,
    private readonly clock: Clock,
  ) {}

  @Post('replay')
  start(@Me() me: Me, @Param('id') id: string, @Body() body: unknown): Promise<PageResponse> {
    const form = new FormFields(body);
    const hours = Math.min(Math.max(Number(form.text('hours')) || 1, 1), MAX_REPLAY_HOURS);
    const since = new Date(this.clock.now().getTime() - hours * HOUR_MS);
    const again = async (): Promise<PageContent> => ({
      view: <WebhookDetailPage view={await this.reader.read(me, id)} />,
    });
    return submitForm({ again }, async () => {
      await this.replays.start(webhookOwnerOf(me), id, {
        choice: form.text('which') === 'all' ? 'all' : 'failed',
        since,
      });
      return redirectWithNotice(webhookPath(id), 'Replay started.');
    });
  }

  @Post('replays/:replay/cancel')
  async cancel(@Me() me: Me, @Param('id') id: string, @Param('replay') replay: string): Promise<PageResponse> {
    await this.replays.cancel(webhookOwnerOf(me), replay);
    return redirectWithNotice(webhookPath(id), 'Replay cancelled.');
  }
}
