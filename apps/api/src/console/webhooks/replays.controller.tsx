import { Clock } from '#libs/database';
import { ReplaysService, type WebhookOwner, WebhooksService } from '#libs/webhooks';
import { Body, Controller, Get, Param, Post, Query } from '@nestjs/common';
import { FormFields } from '../../pages/form-fields.js';
import { type PageContent, type PageResponse, redirectWithNotice } from '../../pages/page-response.js';
import { Me } from '../../sign-in/session.guard.js';
import { submitForm } from '../form-submission.js';
import { ConsolePages } from '../shell/console-pages.decorator.js';
import { type ReplayRequest, parseReplayRequest, replayFields, replayFrom } from './replay-form.js';
import { ReplayPage } from './replay.page.js';
import { webhookOwnerOf } from './webhook-owner.js';
import { webhookPath } from './webhook-paths.js';

@Controller('settings')
@ConsolePages({ audience: 'managers' })
export class ConsoleReplaysController {
  constructor(
    private readonly webhooks: WebhooksService,
    private readonly replays: ReplaysService,
    private readonly clock: Clock,
  ) {}

  @Get('replays')
  show(@Me() me: Me, @Query() query: unknown): Promise<PageContent> {
    return this.page(me, parseReplayRequest(new FormFields(query)));
  }

  /** One for each webhook of the preview. One that is being replayed already goes on as it is. */
  @Post('replays')
  start(@Me() me: Me, @Body() body: unknown): Promise<PageResponse> {
    const request = parseReplayRequest(new FormFields(body));
    return submitForm({ again: () => this.page(me, request) }, async () => {
      const owner = webhookOwnerOf(me);
      const wanted = await this.preview(owner, request);
      for (const { webhookId } of wanted.webhooks)
        await this.replays.start(owner, webhookId, replayFrom(request, this.clock.now()));
      const address = new URLSearchParams(replayFields(request));
      return redirectWithNotice(`/settings/replays?${address}`, 'Replay started.');
    });
  }

  /** Turned on again, a webhook gets what it missed. */
  @Post('webhooks/:id/replay')
  startOne(@Me() me: Me, @Param('id') id: string, @Body() body: unknown): Promise<PageResponse> {
    const form = new FormFields(body);
    const request = { ...parseReplayRequest(form), webhook: id };
    return submitForm({ again: () => this.page(me, request) }, async () => {
      const owner = webhookOwnerOf(me);
      if (form.text('enable') === 'yes') await this.webhooks.change(owner, id, { state: 'active' });
      await this.replays.start(owner, id, replayFrom(request, this.clock.now()));
      return redirectWithNotice(webhookPath(id), 'Replay started.');
    });
  }

  @Post('webhooks/:id/replays/:replay/cancel')
  async cancel(@Me() me: Me, @Param('id') id: string, @Param('replay') replay: string): Promise<PageResponse> {
    await this.replays.cancel(webhookOwnerOf(me), replay);
    return redirectWithNotice(webhookPath(id), 'Replay cancelled.');
  }

  private async page(me: Me, request: ReplayRequest): Promise<PageContent> {
    const owner = webhookOwnerOf(me);
    const [preview, replays] = await Promise.all([this.preview(owner, request), this.replays.newest(owner)]);
    return { view: <ReplayPage view={{ request, preview, replays }} /> };
  }

  private preview(owner: WebhookOwner, request: ReplayRequest) {
    const wanted = { ...replayFrom(request, this.clock.now()), event: request.event ?? undefined };
    return this.replays.preview(owner, request.webhook, wanted);
  }
}
