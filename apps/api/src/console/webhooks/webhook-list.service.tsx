import { WEBHOOK_STATES } from '#libs/entities';
import { EVENT_KINDS, type EventKind, isEventKind } from '#libs/payloads';
import { TestEventsService, WebhookSecretsService, WebhooksService } from '#libs/webhooks';
import { Injectable } from '@nestjs/common';
import { CreateWebhookDto } from '../../rest/webhooks/dto/webhook.dto.js';
import { FormFields } from '../../pages/form-fields.js';
import type { Me } from '../../sign-in/session.guard.js';
import { NO_FORM_ERRORS, type FormErrors, submitForm, validateDto } from '../form-submission.js';
import type { PageResponse, PageContent } from '../../pages/page-response.js';
import { WebhookCreatedPage } from './webhook-created.page.js';
import { NewWebhookPage } from './new-webhook.page.js';
import { webhookOwnerOf } from './webhook-owner.js';
import { WebhookStatsReader } from './webhook-stats.reader.js';
import { WebhookListPage } from './webhook-list.page.js';

const WEBHOOKS_PER_PAGE = 50;
/** One for each kind, as the form creates them. */
const MAX_WEBHOOKS = Object.keys(EVENT_KINDS).length;
const FIRST_PAGE = { page: 1, perPage: WEBHOOKS_PER_PAGE, cursor: undefined } as const;

@Injectable()
export class ConsoleWebhookListService {
  constructor(
    private readonly webhooks: WebhooksService,
    private readonly secrets: WebhookSecretsService,
    private readonly tests: TestEventsService,
    private readonly stats: WebhookStatsReader,
  ) {}

  async list(me: Me, form: FormFields): Promise<PageContent> {
    const owner = webhookOwnerOf(me);
    const [wanted, cursor] = [form.text('event'), form.text('cursor') || undefined];
    const event = isEventKind(wanted) ? wanted : null;
    const state = WEBHOOK_STATES.find((known) => known === form.text('state')) ?? null;
    const query = { ...FIRST_PAGE, cursor, event: event ?? undefined, state: state ?? undefined };
    const [page, disabled] = await Promise.all([
      this.webhooks.list(owner, query),
      this.webhooks.list(owner, { ...FIRST_PAGE, perPage: 3, state: 'disabled' }),
    ]);
    const path = (place: string | null): string =>
      `/settings/webhooks?${new URLSearchParams({ ...(event && { event }), ...(state && { state }), ...(place && { cursor: place }) })}`;
    const rows = await this.stats.read(me.accountId, page.items);
    const next = page.next && path(page.next);
    const view = { rows, disabled: disabled.items, event, state, next, first: cursor ? path(null) : null };
    return { view: <WebhookListPage view={view} /> };
  }

  showNew(): PageContent {
    return newWebhookPage({ url: '', events: [], test: true }, NO_FORM_ERRORS);
  }

  /** One webhook for each kind of event that was ticked. */
  create(me: Me, body: unknown): Promise<PageResponse> {
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

  async showCreated(me: Me, form: FormFields): Promise<PageContent> {
    const owner = webhookOwnerOf(me);
    const webhooks = [];
    for (const id of form.texts('id').slice(0, MAX_WEBHOOKS)) {
      const [newest] = await this.secrets.read(owner, id);
      webhooks.push({ webhook: await this.webhooks.read(owner, id), secret: newest?.secret ?? '' });
    }
    return { view: <WebhookCreatedPage view={{ webhooks }} /> };
  }

  private async add(me: Me, event: EventKind, { url, test }: NewWebhookForm): Promise<string> {
    const { webhook } = await this.webhooks.create(webhookOwnerOf(me), { event, url });
    if (test) await this.tests.send(webhookOwnerOf(me), webhook.id);
    return webhook.id;
  }
}

interface NewWebhookForm {
  readonly url: string;
  readonly events: readonly string[];
  readonly test: boolean;
}

/** Each is checked before the first is made: either all of them come to be, or none. */
async function validatedKinds({ url, events }: NewWebhookForm): Promise<EventKind[]> {
  const wanted = events.length === 0 ? [undefined] : [...new Set(events)];
  const dtos = await Promise.all(wanted.map((event) => validateDto(CreateWebhookDto, { event, url })));
  return dtos.map(({ event }) => event);
}

function newWebhookPage(typed: NewWebhookForm, refused: FormErrors): PageContent {
  const unticked = typed.events.length === 0 && refused.formError !== null;
  const words = unticked ? { ...refused, formError: 'Tick at least one kind of event.' } : refused;
  return { view: <NewWebhookPage view={{ ...typed, ...words }} /> };
}
