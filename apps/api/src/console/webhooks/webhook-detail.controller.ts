import { Clock } from '#libs/database';
import { TestEvents, WebhookSecrets, WebhooksService } from '#libs/webhooks';
import { Body, Controller, Get, Param, Post, Query, UseGuards } from '@nestjs/common';
import { Form } from '../../pages/form.js';
import { Me } from '../../sign-in/session.guard.js';
import { ChangeWebhookDto } from '../../rest/webhooks/dto/webhook.dto.js';
import { DeskPages } from '../shell/desk-pages.js';
import { ACCEPTED, attempt, checked } from '../forms.js';
import type { PageAnswer } from '../../pages/page.js';
import { ManagersGuard } from '../people/managers.guard.js';
import { ownerOf } from './owner.js';
import { UNFILTERED, WebhookPages, webhookFilter } from './webhook.pages.js';
import { webhookPath } from './webhooks.page.js';

@Controller('settings/webhooks/:id')
@UseGuards(ManagersGuard)
@DeskPages()
export class WebhookPagesController {
  constructor(
    private readonly pages: WebhookPages,
    private readonly webhooks: WebhooksService,
    private readonly tests: TestEvents,
    private readonly clock: Clock,
  ) {}

  @Get()
  show(@Me() me: Me, @Param('id') id: string, @Query() query: unknown): Promise<PageAnswer> {
    return this.pages.show(me, id, webhookFilter(new Form(query), this.clock), ACCEPTED);
  }

  @Post()
  change(@Me() me: Me, @Param('id') id: string, @Body() body: object): Promise<PageAnswer> {
    const url = new Form(body).text('url');
    return attempt(
      async () => {
        const dto = await checked(ChangeWebhookDto, { url });
        await this.webhooks.change(ownerOf(me), id, dto.wanted());
        return done(id, 'Address saved.');
      },
      (refused) => this.pages.show(me, id, UNFILTERED, { ...refused, url }),
    );
  }

  @Post('state')
  setState(@Me() me: Me, @Param('id') id: string, @Body() dto: ChangeWebhookDto): Promise<PageAnswer> {
    return attempt(
      async () => {
        const { state } = await this.webhooks.change(ownerOf(me), id, { state: dto.state });
        return done(id, state === 'active' ? 'Active: what was held goes out now.' : 'Paused.');
      },
      (refused) => this.pages.show(me, id, UNFILTERED, refused),
    );
  }

  @Post('test')
  test(@Me() me: Me, @Param('id') id: string): Promise<PageAnswer> {
    return attempt(
      async () => {
        await this.tests.send(ownerOf(me), id);
        return done(id, 'Test event sent. Watch it arrive below.');
      },
      (refused) => this.pages.show(me, id, UNFILTERED, refused),
    );
  }

  @Post('delete')
  async delete(@Me() me: Me, @Param('id') id: string): Promise<PageAnswer> {
    await this.webhooks.remove(ownerOf(me), id);
    return { redirect: '/settings/webhooks', notice: { tone: 'good', text: 'Webhook deleted.' } };
  }
}

/** Secrets stand in the answer itself, so that no address ever shows them again. */
@Controller('settings/webhooks/:id')
@UseGuards(ManagersGuard)
@DeskPages()
export class WebhookSecretsPages {
  constructor(
    private readonly pages: WebhookPages,
    private readonly secrets: WebhookSecrets,
  ) {}

  @Post('secret')
  async reveal(@Me() me: Me, @Param('id') id: string): Promise<PageAnswer> {
    const secrets = await this.secrets.read(ownerOf(me), id);
    return this.pages.show(me, id, UNFILTERED, { ...ACCEPTED, secrets });
  }

  @Post('rotate')
  async rotate(@Me() me: Me, @Param('id') id: string): Promise<PageAnswer> {
    const secrets = await this.secrets.rotate(ownerOf(me), id);
    return this.pages.show(me, id, UNFILTERED, { ...ACCEPTED, secrets });
  }
}

const done = (id: string, text: string): PageAnswer => ({ redirect: webhookPath(id), notice: { tone: 'good', text } });
