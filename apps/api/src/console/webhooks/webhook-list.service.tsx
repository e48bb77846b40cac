import { WEBHOOK_STATES } from '#libs/entities';
import { type EventKind, isEventKind } from '#libs/payloads';
import { TestEvents, WebhookSecrets, WebhooksService } from '#libs/webhooks';
import { Injectable } from '@nestjs/common';
import { CreateWebhookDto } from '../../rest/webhooks/dto/webhook.dto.js';
import { Form } from '../../pages/form.js';
import type { Me } from '../../sign-in/session.guard.js';
import { ACCEPTED, type Refused, attempt, checked } from '../forms.js';
import type { PageAnswer, View } from '../../pages/page.js';
import { CreatedPage } from './created.page.js';
import { NewWebhookPage } from './new-webhook.page.js';
import { ownerOf } from './owner.js';
import { WebhookStats } from './webhook-stats.js';
import { WebhooksPage } from './webhooks.page.js';

const ROWS = 50;
const MOST_AT_ONCE = 14;
const FIRST = { page: 1, perPage: ROWS, cursor: undefined } as const;

@Injectable()
export class WebhooksPages {
  constructor(
    private readonly webhooks: WebhooksService,
    private readonly secrets: WebhookSecrets,
    private readonly tests: TestEvents,
    private readonly stats: WebhookStats,
  ) {}

  async list(me: Me, form: Form): Promise<View> {
    const owner = ownerOf(me);
    const [wanted, cursor] = [form.text('event'), form.text('cursor') || undefined];
    const event = isEventKind(wanted) ? wanted : null;
    const state = WEBHOOK_STATES.find((known) => known === form.text('state')) ?? null;
    const query = { ...FIRST, cursor, event: event ?? undefined, state: state ?? undefined };
    const [page, disabled] = await Promise.all([
      this.webhooks.list(owner, query),
      this.webhooks.list(owner, { ...FIRST, perPage: 3, state: 'disabled' }),
    ]);
    const path = (place: string | null): string =>
      `/settings/webhooks?${new URLSearchParams({ ...(event && { event }), ...(state && { state }), ...(place && { cursor: place }) })}`;
    const rows = await this.stats.of(me.accountId, page.items);
    const next = page.next && path(page.next);
    const view = { rows, disabled: disabled.items, event, state, next, first: cursor ? path(null) : null };
    return { view: <WebhooksPage view={view} /> };
  }

  showNew(): View {
    return newPage({ url: '', events: [], test: true }, ACCEPTED);
  }

  /** One webhook for each kind of event that was ticked. */
  create(me: Me, body: unknown): Promise<PageAnswer> {
    const form = new Form(body);
    const typed = { url: form.text('url'), events: form.texts('event'), test: form.text('test') === 'yes' };
    return attempt(
      async () => {
        const ids: string[] = [];
        for (const event of await kindsOf(typed)) ids.push(await this.add(me, event, typed));
        return { redirect: `/settings/webhooks/created?${new URLSearchParams(ids.map((id) => ['id', id]))}` };
      },
      (refused) => newPage(typed, refused),
    );
  }

  async showCreated(me: Me, form: Form): Promise<View> {
    const owner = ownerOf(me);
    const webhooks = [];
    for (const id of form.texts('id').slice(0, MOST_AT_ONCE)) {
      const [newest] = await this.secrets.read(owner, id);
      webhooks.push({ webhook: await this.webhooks.read(owner, id), secret: newest?.secret ?? '' });
    }
    return { view: <CreatedPage view={{ webhooks }} /> };
  }

  private async add(me: Me, event: EventKind, { url, test }: Typed): Promise<string> {
    const { webhook } = await this.webhooks.create(ownerOf(me), { event, url });
    if (test) await this.tests.send(ownerOf(me), webhook.id);
    return webhook.id;
  }
}

interface Typed {
  readonly url: string;
  readonly events: readonly string[];
  readonly test: boolean;
}

/** Each is checked before the first is made: either all of them come to be, or none. */
async function kindsOf({ url, events }: Typed): Promise<EventKind[]> {
  const wanted = events.length === 0 ? [undefined] : [...new Set(events)];
  const dtos = await Promise.all(wanted.map((event) => checked(CreateWebhookDto, { event, url })));
  return dtos.map(({ event }) => event);
}

function newPage(typed: Typed, refused: Refused): View {
  const unticked = typed.events.length === 0 && refused.refused !== null;
  const words = unticked ? { ...refused, refused: 'Tick at least one kind of event.' } : refused;
  return { view: <NewWebhookPage view={{ ...typed, ...words }} /> };
}
