import { Clock } from '#libs/database';
import { DomainError } from '#libs/entities';
import { DeliveriesService, ReplayStartsService, type StartedReplays, WebhooksService } from '#libs/webhooks';
import { Body, Get, Param, Post, Query } from '@nestjs/common';
import { FormFields } from '../layers/ui/form-fields.js';
import { type PageContent, type PageResponse, redirectWithNotice } from '../layers/ui/page-response.js';
import { Me } from '../layers/sign-in/me.decorator.js';
import { submitForm } from '../layers/shell/form-submission.js';
import { ConsolePages } from '../layers/shell/console-pages.decorator.js';
import { type ReplayRequest, parseReplayRequest, replayFields, replayFrom } from './replays.js';
import { ReplayPage, ReplaysPage } from './replay.page.js';
import { webhookOwnerOf } from './webhook-owner.js';
import { webhookPath } from './webhook-paths.js';

@ConsolePages('settings', 'managers')
export class ReplayPagesController {
  constructor(
    private readonly webhooks: WebhooksService,
    private readonly deliveries: DeliveriesService,
    private readonly starts: ReplayStartsService,
    private readonly clock: Clock,
  ) {}

  @Get('replays')
  show(@Me() me: Me, @Query() query: unknown): Promise<PageContent> {
    return this.page(me, parseReplayRequest(new FormFields(query)));
  }

  @Get('replays/progress')
  async showProgress(@Me() me: Me): Promise<PageContent> {
    return { view: <ReplaysPage replays={await this.deliveries.newestReplays(webhookOwnerOf(me))} /> };
  }

  @Post('replays')
  start(@Me() me: Me, @Body() body: unknown): Promise<PageResponse> {
    const request = parseReplayRequest(new FormFields(body));
    return submitForm({ again: () => this.page(me, request) }, async () => {
      const wanted = replayFrom(request, this.clock.now());
      const started = await this.starts.startEach(webhookOwnerOf(me), request.webhook, wanted);
      const address = `/settings/replays?${new URLSearchParams(replayFields(request))}`;
      return redirectWithNotice(address, startedText(started), started.replays.length > 0 ? 'good' : 'bad');
    });
  }

  @Post('webhooks/:id/replay')
  startOne(@Me() me: Me, @Param('id') id: string, @Body() body: unknown): Promise<PageResponse> {
    const form = new FormFields(body);
    const request = { ...parseReplayRequest(form), webhook: id };
    return submitForm({ again: () => this.page(me, request) }, async () => {
      const owner = webhookOwnerOf(me);
      const isEnabled = form.text('enable') === 'yes';
      if (isEnabled) await this.webhooks.change(owner, id, { state: 'active' });
      try {
        await this.starts.start(owner, id, replayFrom(request, this.clock.now()));
      } catch (error) {
        // The webhook stays enabled, so the form is not shown again.
        if (!isEnabled || !(error instanceof DomainError)) throw error;
        return redirectWithNotice(webhookPath(id), `Enabled, but no replay was started. ${error.message}`, 'bad');
      }
      return redirectWithNotice(webhookPath(id), 'Replay started.');
    });
  }

  @Post('webhooks/:id/replays/:replay/cancel')
  async cancel(@Me() me: Me, @Param('id') id: string, @Param('replay') replay: string): Promise<PageResponse> {
    await this.deliveries.cancelReplay(webhookOwnerOf(me), replay);
    return redirectWithNotice(webhookPath(id), 'Replay cancelled.');
  }

  private async page(me: Me, request: ReplayRequest): Promise<PageContent> {
    const owner = webhookOwnerOf(me);
    const [preview, replays] = await Promise.all([
      this.starts.preview(owner, request.webhook, replayFrom(request, this.clock.now())),
      this.deliveries.newestReplays(owner),
    ]);
    return { view: <ReplayPage view={{ request, preview, replays }} /> };
  }
}

function startedText({ replays: { length: started }, webhooks }: StartedReplays): string {
  if (webhooks === 0) return 'Nothing to replay.';
  if (started === webhooks) return 'Replay started.';
  return `Replay started for ${started} of ${webhooks} webhooks. The others already have a running replay.`;
}
