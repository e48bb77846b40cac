import { WEBHOOK_STATES } from '#libs/entities';
import { EVENT_KINDS, isEventKind } from '#libs/payloads';
import { DeliveriesService, TrafficService, WebhooksService } from '#libs/webhooks';
import { Body, Get, Post, Query } from '@nestjs/common';
import type { FormState, PageResponse, PageContent } from '../layers/ui/page-response.js';
import { submitForm, validateDto } from '../layers/shell/form-submission.js';
import { FormFields } from '../layers/ui/form-fields.js';
import { Me } from '../layers/sign-in/me.decorator.js';
import { ConsolePages } from '../layers/shell/console-pages.decorator.js';
import { pagerLinks } from '../layers/ui/parts/table.js';
import { NewWebhookPage, WebhookCreatedPage } from './new-webhook.page.js';
import { withPreview } from './webhook-filter.js';
import { credentialsIn } from './webhook-credentials.js';
import { WebhookListPage, type WebhookListView } from './webhook-list.page.js';
import { webhookOwnerOf } from './webhook-owner.js';
import { CreateWebhookDto } from './webhooks.dto.js';

const WEBHOOKS_PER_PAGE = 50;
/** A form creates at most one webhook per kind of event. */
const MAX_CREATED = Object.keys(EVENT_KINDS).length;
const FIRST_PAGE = { page: 1, perPage: WEBHOOKS_PER_PAGE, cursor: undefined } as const;
const HOURS_SHOWN = 24;

@ConsolePages('settings/webhooks', 'managers', { group: 'Integrations', label: 'Webhooks', icon: 'bolt' })
export class WebhookListController {
  constructor(
    private readonly webhooks: WebhooksService,
    private readonly deliveries: DeliveriesService,
    private readonly traffic: TrafficService,
  ) {}

  @Get()
  async list(@Me() me: Me, @Query() query: unknown): Promise<PageResponse> {
    return { view: <WebhookListPage view={await this.load(me, new FormFields(query))} /> };
  }

  @Get('new')
  showNew(): PageResponse {
    return { view: <NewWebhookPage events={[]} test /> };
  }

  @Post()
  create(@Me() me: Me, @Body() body: unknown): Promise<PageResponse> {
    const form = new FormFields(body);
    const typed = form.pick('url', 'filter');
    const events = [...new Set(form.texts('event'))];
    const test = form.text('test') === 'yes';
    const again = ({ error = null }: Partial<FormState> = {}): PageContent => ({
      view: <NewWebhookPage events={events} test={test} />,
      form: { error: events.length === 0 ? 'Select at least one kind of event.' : error },
    });
    return submitForm({ again, typed }, async () => {
      const owner = webhookOwnerOf(me);
      const given = { ...typed, events, ...credentialsIn(form) };
      const wanted = (await validateDto(CreateWebhookDto, given)).toInput();
      if (form.text('preview') !== '')
        return withPreview(again(), typed, await this.webhooks.previewFilter(owner, wanted));
      const created = await this.webhooks.createEach(owner, wanted);
      const ids = created.map(({ webhook }) => webhook.id);
      if (test) for (const id of ids) await this.deliveries.sendTest(owner, id);
      return { redirect: `/settings/webhooks/created?${new URLSearchParams(ids.map((id) => ['id', id]))}` };
    });
  }

  @Get('created')
  async showCreated(@Me() me: Me, @Query() query: unknown): Promise<PageResponse> {
    const ids = new FormFields(query).texts('id');
    const read = (id: string) => this.webhooks.read(webhookOwnerOf(me), id);
    return { view: <WebhookCreatedPage webhooks={await Promise.all(ids.slice(0, MAX_CREATED).map(read))} /> };
  }

  private async load(me: Me, form: FormFields): Promise<WebhookListView> {
    const owner = webhookOwnerOf(me);
    const wanted = form.text('event');
    const cursor = form.text('cursor') || undefined;
    const event = isEventKind(wanted) ? wanted : null;
    const state = WEBHOOK_STATES.find((known) => known === form.text('state')) ?? null;
    const query = { ...FIRST_PAGE, cursor, event: event ?? undefined, state: state ?? undefined };
    const { items, next } = await this.webhooks.list(owner, query);
    const ids = items.map(({ id }) => id);
    const traffic = await this.traffic.ofWebhooks(me.accountId, ids, HOURS_SHOWN);
    const rows = items.map((webhook) => ({ webhook, traffic: traffic.get(webhook.id) }));
    const links = pagerLinks('/settings/webhooks', { event, state }, { cursor, next });
    return { rows, event, state, ...links };
  }
}
