import { Clock } from '#libs/database';
import { TestEventsService, WebhookSecretsService, WebhooksService } from '#libs/webhooks';
import { Body, Controller, Get, Param, Post, Query, UseGuards } from '@nestjs/common';
import { FormFields } from '../../pages/form-fields.js';
import { Me } from '../../sign-in/session.guard.js';
import { ChangeWebhookDto } from '../../rest/webhooks/dto/webhook.dto.js';
import { ConsolePages } from '../shell/console-pages.decorator.js';
import { NO_FORM_ERRORS, submitForm, validateDto } from '../form-submission.js';
import type { PageResponse } from '../../pages/page-response.js';
import { ManagerGuard } from '../people/manager.guard.js';
import { webhookOwnerOf } from './webhook-owner.js';
import { UNFILTERED, WebhookDetailReader, parseDeliveryFilter } from './webhook-detail.reader.js';
import { webhookPath } from './webhook-list.page.js';

@Controller('settings/webhooks/:id')
@UseGuards(ManagerGuard)
@ConsolePages()
export class ConsoleWebhookDetailController {
  constructor(
    private readonly pages: WebhookDetailReader,
    private readonly webhooks: WebhooksService,
    private readonly tests: TestEventsService,
    private readonly clock: Clock,
  ) {}

  @Get()
  show(@Me() me: Me, @Param('id') id: string, @Query() query: unknown): Promise<PageResponse> {
    return this.pages.show(me, id, parseDeliveryFilter(new FormFields(query), this.clock), NO_FORM_ERRORS);
  }

  @Post()
  change(@Me() me: Me, @Param('id') id: string, @Body() body: object): Promise<PageResponse> {
    const url = new FormFields(body).text('url');
    return submitForm(
      async () => {
        const dto = await validateDto(ChangeWebhookDto, { url });
        await this.webhooks.change(webhookOwnerOf(me), id, dto.toInput());
        return redirectWithNotice(id, 'Address saved.');
      },
      (refused) => this.pages.show(me, id, UNFILTERED, { ...refused, url }),
    );
  }

  @Post('state')
  setState(@Me() me: Me, @Param('id') id: string, @Body() dto: ChangeWebhookDto): Promise<PageResponse> {
    return submitForm(
      async () => {
        const { state } = await this.webhooks.change(webhookOwnerOf(me), id, { state: dto.state });
        return redirectWithNotice(id, state === 'active' ? 'Active: what was held goes out now.' : 'Paused.');
      },
      (refused) => this.pages.show(me, id, UNFILTERED, refused),
    );
  }

  @Post('test')
  test(@Me() me: Me, @Param('id') id: string): Promise<PageResponse> {
    return submitForm(
      async () => {
        await this.tests.send(webhookOwnerOf(me), id);
        return redirectWithNotice(id, 'Test event sent. Watch it arrive below.');
      },
      (refused) => this.pages.show(me, id, UNFILTERED, refused),
    );
  }

  @Post('delete')
  async delete(@Me() me: Me, @Param('id') id: string): Promise<PageResponse> {
    await this.webhooks.remove(webhookOwnerOf(me), id);
    return { redirect: '/settings/webhooks', notice: { tone: 'good', text: 'Webhook deleted.' } };
  }
}

/** Secrets stand in the answer itself, so that no address ever shows them again. */
@Controller('settings/webhooks/:id')
@UseGuards(ManagerGuard)
@ConsolePages()
export class ConsoleWebhookSecretsController {
  constructor(
    private readonly pages: WebhookDetailReader,
    private readonly secrets: WebhookSecretsService,
  ) {}

  @Post('secret')
  async reveal(@Me() me: Me, @Param('id') id: string): Promise<PageResponse> {
    const secrets = await this.secrets.read(webhookOwnerOf(me), id);
    return this.pages.show(me, id, UNFILTERED, { ...NO_FORM_ERRORS, secrets });
  }

  @Post('rotate')
  async rotate(@Me() me: Me, @Param('id') id: string): Promise<PageResponse> {
    const secrets = await this.secrets.rotate(webhookOwnerOf(me), id);
    return this.pages.show(me, id, UNFILTERED, { ...NO_FORM_ERRORS, secrets });
  }
}

const redirectWithNotice = (id: string, text: string): PageResponse => ({
  redirect: webhookPath(id),
  notice: { tone: 'good', text },
});
