import { Database, Clock } from '#libs/database';
import { DeliveriesService, WebhooksService, WebhookSecretsService } from '#libs/webhooks';
import { SETTINGS_TOKEN, type Settings } from '#libs/settings';
import { Body, Get, Inject, Param, Post, Query } from '@nestjs/common';
import { FormFields } from '../layers/ui/form-fields.js';
import { parsePeriod } from '../layers/ui/parts/filters.js';
import { pagerLinks } from '../layers/ui/parts/table.js';
import { Me } from '../layers/sign-in/me.decorator.js';
import { webhookOwnerOf } from './webhook-owner.js';
import { DELIVERIES, webhookPath, deliveryPath } from './webhook-paths.js';
import { findSubjects } from './webhooks.statements.js';
import { ConsolePages } from '../layers/shell/console-pages.decorator.js';
import { submitForm, validateDto } from '../layers/shell/form-submission.js';
import { type FormState, type PageContent, type PageResponse, redirectWithNotice } from '../layers/ui/page-response.js';
import { DeliverySearchDto } from './deliveries.dto.js';
import { ChangeWebhookDto } from './webhooks.dto.js';
import { withPreview } from './webhook-filter.js';
import { credentialsIn } from './webhook-credentials.js';
import { WebhookDetailPage } from './webhook-detail.page.js';
import { DeliveryPage } from './delivery.page.js';
import { DeliveriesPage } from './deliveries.page.js';
import { type DetailOptions, WebhookDetailReader } from './webhook-detail.reader.js';

@ConsolePages('settings/webhooks/:id', 'managers')
export class WebhookDetailController {
  constructor(
    private readonly reader: WebhookDetailReader,
    private readonly webhooks: WebhooksService,
    private readonly secrets: WebhookSecretsService,
    private readonly deliveries: DeliveriesService,
    private readonly clock: Clock,
  ) {}

  @Get()
  show(@Me() me: Me, @Param('id') id: string, @Query() query: unknown): Promise<PageResponse> {
    return this.page(me, id, { query });
  }

  @Post()
  change(@Me() me: Me, @Param('id') id: string, @Body() body: object): Promise<PageResponse> {
    const form = new FormFields(body);
    const typed = form.pick('url', 'name', 'filter');
    return submitForm({ again: () => this.page(me, id), typed }, async () => {
      const owner = webhookOwnerOf(me);
      const given = { ...typed, name: form.value('name'), ...credentialsIn(form) };
      const changes = (await validateDto(ChangeWebhookDto, given)).toInput();
      if (form.text('preview') !== '') {
        const { event } = await this.webhooks.read(owner, id);
        const preview = await this.webhooks.previewFilter(owner, { events: [event], ...changes });
        return withPreview(await this.page(me, id), typed, preview);
      }
      await this.webhooks.change(owner, id, changes);
      return redirectWithNotice(webhookPath(id), 'Webhook saved.');
    });
  }

  @Post('state')
  setState(@Me() me: Me, @Param('id') id: string, @Body() dto: ChangeWebhookDto): Promise<PageResponse> {
    return this.submit(me, id, async () => {
      const { state } = await this.webhooks.change(webhookOwnerOf(me), id, { state: dto.state });
      return state === 'active' ? 'Active. Pending deliveries are being sent now.' : 'Paused.';
    });
  }

  @Post('signatures')
  setSignatures(@Me() me: Me, @Param('id') id: string, @Body() dto: ChangeWebhookDto): Promise<PageResponse> {
    return this.submit(me, id, async () => {
      const { publiclySigned } = await this.webhooks.change(webhookOwnerOf(me), id, { signatures: dto.signatures });
      return `Deliveries are now ${publiclySigned ? 'also signed with Ed25519' : 'signed with the secret only'}.`;
    });
  }

  @Post('test')
  test(@Me() me: Me, @Param('id') id: string): Promise<PageResponse> {
    return this.submit(me, id, async () => {
      await this.deliveries.sendTest(webhookOwnerOf(me), id);
      return 'Test event sent. Its delivery appears below.';
    });
  }

  /** No redirect, so that no URL shows the secret. */
  @Post('secret')
  async reveal(@Me() me: Me, @Param('id') id: string): Promise<PageResponse> {
    return this.page(me, id, { secrets: await this.secrets.read(webhookOwnerOf(me), id) });
  }

  @Post('rotate')
  async rotate(@Me() me: Me, @Param('id') id: string): Promise<PageResponse> {
    return this.page(me, id, { secrets: await this.secrets.rotate(webhookOwnerOf(me), id) });
  }

  @Post('delete')
  async delete(@Me() me: Me, @Param('id') id: string): Promise<PageResponse> {
    await this.webhooks.remove(webhookOwnerOf(me), id);
    return redirectWithNotice('/settings/webhooks', 'Webhook deleted.');
  }

  /** `work` returns the notice. */
  private submit(me: Me, id: string, work: () => Promise<string>): Promise<PageResponse> {
    return submitForm({ again: () => this.page(me, id) }, async () =>
      redirectWithNotice(webhookPath(id), await work()),
    );
  }

  private async page(me: Me, id: string, options: Omit<DetailOptions, 'now'> = {}): Promise<PageContent> {
    const view = await this.reader.read(me, id, { now: this.clock.now(), ...options });
    return { view: <WebhookDetailPage view={view} /> };
  }
}

@ConsolePages('settings/deliveries', 'managers', { group: 'Integrations', label: 'Deliveries', icon: 'send' })
export class DeliveryController {
  constructor(
    private readonly webhooks: WebhooksService,
    private readonly deliveries: DeliveriesService,
    private readonly database: Database,
    private readonly clock: Clock,
    @Inject(SETTINGS_TOKEN) private readonly settings: Settings,
  ) {}

  @Get()
  list(@Me() me: Me, @Query() query: unknown): Promise<PageResponse> {
    const form = new FormFields(query);
    const filters = form.pick('webhook', 'event', 'ticket', 'standing', 'last_status', 'since');
    const again = async ({ error, faults }: FormState): Promise<PageContent> => ({
      ...(await this.page(me, {}, '')),
      form: { error: faults.map(({ message }) => message).join('; ') || error },
    });
    return submitForm({ again, typed: filters }, () => this.page(me, filters, form.text('cursor')));
  }

  @Get(':id')
  async show(@Me() me: Me, @Param('id') id: string): Promise<PageResponse> {
    const owner = webhookOwnerOf(me);
    const read = await this.deliveries.read(owner, id);
    const { webhookId, eventId } = read.delivery;
    const webhook = await this.webhooks.read(owner, webhookId);
    const subjects = await findSubjects(this.database.account(me.accountId), [eventId]);
    return { view: <DeliveryPage {...read} webhook={webhook} subject={subjects.get(eventId)} /> };
  }

  @Post(':id/redeliver')
  async redeliver(@Me() me: Me, @Param('id') id: string, @Body() body: unknown): Promise<PageResponse> {
    const { webhookId } = await this.deliveries.redeliver(webhookOwnerOf(me), id);
    const back = new FormFields(body).text('list') === 'yes' ? webhookPath(webhookId) : deliveryPath(id);
    return redirectWithNotice(back, 'Redelivery started.');
  }

  private async page(me: Me, filters: Readonly<Record<string, string>>, cursor: string): Promise<PageContent> {
    const { since, ...others } = filters;
    const set = Object.entries(others).filter(([, value]) => value !== '');
    const dto = await validateDto(DeliverySearchDto, Object.fromEntries(set));
    const { from } = parsePeriod(since ?? '', this.clock.now());
    const request = { ...dto.toQuery(), since: from, cursor: cursor || undefined, uncounted: true };
    const { items, next } = await this.deliveries.search(webhookOwnerOf(me), request);
    const eventIds = items.map(({ eventId }) => eventId);
    const view = {
      deliveries: items,
      subjects: await findSubjects(this.database.account(me.accountId), eventIds),
      attemptsAllowed: this.settings.WEBHOOK_RETRY_SCHEDULE.length + 1,
      filters,
      ...pagerLinks(DELIVERIES, filters, { cursor, next }),
    };
    return { view: <DeliveriesPage view={view} /> };
  }
}
