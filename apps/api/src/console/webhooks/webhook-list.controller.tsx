import type { EventKind } from '#libs/payloads';
import { TestEventsService, WebhooksService } from '#libs/webhooks';
import { Body, Controller, Get, Post, Query } from '@nestjs/common';
import { CreateWebhookDto } from '../../rest/webhooks/dto/webhook.dto.js';
import { type NewWebhookForm, NewWebhookPage } from './new-webhook.page.js';
import { WebhookCreatedPage } from './webhook-created.page.js';
import { WebhookListPage } from './webhook-list.page.js';
import { WebhookListReader } from './webhook-list.reader.js';
import { webhookOwnerOf } from './webhook-owner.js';
import type { PageResponse, PageContent } from '../../pages/page-response.js';
import { type FormErrors, submitForm, validateDto, NO_FORM_ERRORS } from '../form-submission.js';
import { FormFields } from '../../pages/form-fields.js';
import { Me } from '../../sign-in/session.guard.js';
import { ConsolePages } from '../shell/console-pages.decorator.js';

@Controller('settings/webhooks')
@ConsolePages({ audience: 'managers', navigation: { group: 'Settings', label: 'Webhooks', icon: 'bolt' } })
export class ConsoleWebhookListController {
  constructor(
    private readonly webhooks: WebhooksService,
    private readonly tests: TestEventsService,
    private readonly reader: WebhookListReader,
  ) {}

  @Get()
  async list(@Me() me: Me, @Query() query: unknown): Promise<PageResponse> {
    return { view: <WebhookListPage view={await this.reader.list(me, new FormFields(query))} /> };
  }

  @Get('new')
  showNew(): PageResponse {
    return newWebhookPage({ url: '', events: [], test: true }, NO_FORM_ERRORS);
  }

  /** Adds one webhook for each kind of event that was ticked. */
  @Post()
  create(@Me() me: Me, @Body() body: unknown): Promise<PageResponse> {
    const form = new FormFields(body);
    const typed = { url: form.text('url'), events: form.texts('event'), test: form.text('test') === 'yes' };
    return submitForm(
      async () => {
        const ids: string[] = [];
        for (const event of await validatedKinds(typed)) ids.push(await this.add(me, event, typed));
        return { redirect: `/settings/webhooks/created?${new URLSearchParams(ids.map((id) => ['id', id]))}` };
      },
      (refused) => newWebhookPage(typed, refused),
    );
  }

  @Get('created')
  async showCreated(@Me() me: Me, @Query() query: unknown): Promise<PageResponse> {
    const ids = new FormFields(query).texts('id');
    return { view: <WebhookCreatedPage view={await this.reader.created(me, ids)} /> };
  }

  private async add(me: Me, event: EventKind, { url, test }: NewWebhookForm): Promise<string> {
    const { webhook } = await this.webhooks.create(webhookOwnerOf(me), { event, url });
    if (test) await this.tests.send(webhookOwnerOf(me), webhook.id);
    return webhook.id;
  }
}

/** All are checked before the first is added, so that all are added or none. */
async function validatedKinds({ url, events }: NewWebhookForm): Promise<EventKind[]> {
  const wanted = events.length === 0 ? [undefined] : [...new Set(events)];
  const dtos = await Promise.all(wanted.map((event) => validateDto(CreateWebhookDto, { event, url })));
  return dtos.map(({ event }) => event);
}

function newWebhookPage(typed: NewWebhookForm, refused: FormErrors): PageContent {
  const unticked = typed.events.length === 0 && refused.formError !== null;
  const formError = unticked ? 'Tick at least one kind of event.' : refused.formError;
  return { view: <NewWebhookPage view={{ ...typed, ...refused, formError }} /> };
}
