import { type LiveSecret, WebhookSecretsService } from '#libs/webhooks';
import { Controller, Param, Post } from '@nestjs/common';
import { WebhookDetailPage } from './webhook-detail.page.js';
import { UNFILTERED, WebhookDetailReader } from './webhook-detail.reader.js';
import { webhookOwnerOf } from './webhook-owner.js';
import type { PageResponse } from '../../pages/page-response.js';
import { Me } from '../../sign-in/session.guard.js';
import { ConsolePages } from '../shell/console-pages.decorator.js';
import { NO_FORM_ERRORS } from '../form-submission.js';

/** Secrets stand in the response of a POST, so that no address shows them again. */
@Controller('settings/webhooks/:id')
@ConsolePages({ audience: 'managers' })
export class ConsoleWebhookSecretsController {
  constructor(
    private readonly reader: WebhookDetailReader,
    private readonly secrets: WebhookSecretsService,
  ) {}

  @Post('secret')
  async reveal(@Me() me: Me, @Param('id') id: string): Promise<PageResponse> {
    return this.page(me, id, await this.secrets.read(webhookOwnerOf(me), id));
  }

  @Post('rotate')
  async rotate(@Me() me: Me, @Param('id') id: string): Promise<PageResponse> {
    return this.page(me, id, await this.secrets.rotate(webhookOwnerOf(me), id));
  }

  private async page(me: Me, id: string, secrets: readonly LiveSecret[]): Promise<PageResponse> {
    const view = await this.reader.read(me, id, UNFILTERED, { ...NO_FORM_ERRORS, secrets });
    return { view: <WebhookDetailPage view={view} /> };
  }
}
