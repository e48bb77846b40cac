import type { EventKind } from '#libs/payloads';
import { DeliveriesService, WebhooksService } from '#libs/webhooks';
import { Body, Controller, Get, Post, Query } from '@nestjs/common';
import { CreateWebhookDto } from './webhook.dto.js';
import { NewWebhookPage } from './new-webhook.page.js';
import { WebhookCreatedPage } from './webhook-created.page.js';
import { WebhookListPage } from './webhook-list.page.js';
import { WebhookListReader } from './webhook-list.reader.js';
import { webhookOwnerOf } from './webhook-owner.js';
import type { FormState, PageResponse, PageContent } from '../ui/page-response.js';
import { submitForm, validateDto } from '../shell/form-submission.js';
import { FormFields } from '../ui/form-fields.js';
import { Me } from '../sign-in/session.guard.js';
import { ConsolePages } from '../shell/console-pages.decorator.js';

@Controller('settings/webhooks')
@ConsolePages({ audience: 'managers', navigation: { group: 'Settings', label: 'Webhooks', icon: 'bolt' } })
export class WebhookListController {
  constructor(
    private readonly webhooks: WebhooksService,
    private readonly deliveries: DeliveriesService,
    private readonly reader: WebhookListReader,
  ) {}

  @Get()
  async list(@Me() me: Me, @Query() query: unknown): Promise<PageResponse> {
    return { view: <WebhookListPage view={await this.reader.list(me, new FormFields(query))} /> };
  }

  @Get('new')
  showNew(): PageResponse {
    return { view: <NewWebhookPage events={[]} test /> };
  }

  /** Adds one webhook for each kind of event that was ticked. */
  @Post()
  create(@Me() me: Me, @Body() body: unknown): Promise<PageResponse> {
    const form = new FormFields(body);
    const [url, events, test] = [form.text('url'), form.texts('event'), form.text('test') === 'yes'];
    const again = ({ error }: FormState): PageContent => ({
      view: <NewWebhookPage events={events} test={test} />,
      form: { error: events.length === 0 ? 'Tick at least one kind of event.' : error },
    });
    return submitForm({ again, typed: { url } }, async () => {
      const owner = webhookOwnerOf(me);
      const created = await this.webhooks.createEach(owner, { events: await validatedKinds(url, events), url });
      const ids = created.map(({ webhook }) => webhook.id);
      if (test) for (const id of ids) await this.deliveries.sendTest(owner, id);
      return { redirect: `/settings/webhooks/created?${new URLSearchParams(ids.map((id) => ['id', id]))}` };
    });
  }

  @Get('created')
  async showCreated(@Me() me: Me, @Query() query: unknown): Promise<PageResponse> {
    const ids = new FormFields(query).texts('id');
    return { view: <WebhookCreatedPage webhooks={await this.reader.created(me, ids)} /> };
  }
}

/** No kind is missing, unknown or there twice. */
async function validatedKinds(url: string, events: readonly string[]): Promise<EventKind[]> {
  const wanted = events.length === 0 ? [undefined] : [...new Set(events)];
  const dtos = await Promise.all(wanted.map((event) => validateDto(CreateWebhookDto, { event, url })));
  return dtos.flatMap((dto) => dto.toInput().events);
}
