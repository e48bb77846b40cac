import { Transactions, accountStatement, columns, hydrate, isUuid, uuidAt } from '#libs/database';
import { type AnswerClass, InvalidField, NotFound, Replay, type ReplayChoice } from '#libs/entities';
import { EventsService } from '#libs/events';
import { Conditions, ListsService, type Order, type Page, type PageRequest, loadInOrder } from '#libs/lists';
import type { EventKind } from '#libs/payloads';
import { SETTINGS_TOKEN, type Settings } from '#libs/settings';
import { Inject, Injectable } from '@nestjs/common';
import { describeWebhookActivity } from './webhook-activity.js';
import { type ReplayPreview, previewReplay } from './replay-preview.js';
import { type WebhookOwner, ownerValues, visibleToOwner } from './webhook-owner.js';
import { lockEnabledWebhook, readWebhook } from './webhook.statements.js';

export interface NewReplay {
  readonly choice: ReplayChoice;
  /** Only what was last answered so. */
  readonly answer?: AnswerClass | undefined;
  /** Deliveries made from then on; as far back as they are kept unless said. */
  readonly since?: Date | undefined;
  /** … and before then; until now unless said. */
  readonly before?: Date | undefined;
}

const DAY_MS = 24 * 60 * 60 * 1000;
const NEWEST_FIRST: Order = { name: '-id', descending: true, keys: [{ column: 'r.id', type: 'uuid' }] };

const FIND = `select ${columns(Replay, 'r')}, w.url as "url", w.event as "event"
  from replays r join webhooks w on w.account_id = r.account_id and w.id = r.webhook_id
  where r.account_id = $1 and r.id = $2 and ${visibleToOwner(['$3', '$4', '$5'])}`;
const READ = accountStatement('replay_read', FIND);
const LOCK = accountStatement('replay_lock', `${FIND} for no key update of r`);
const LOAD = accountStatement(
  'replay_load',
  `select ${columns(Replay, 'r')} from replays r where r.account_id = $1 and r.id = any($2)`,
);

const NEWEST = accountStatement(
  'replays_newest',
  `select ${columns(Replay, 'r')} from replays r join webhooks w on w.account_id = r.account_id and w.id = r.webhook_id
   where r.account_id = $1 and ${visibleToOwner(['$2', '$3', '$4'])} order by r.id desc limit 20`,
);

/** Here a replay is asked for, looked at and cancelled; the worker carries it out from its row. */
@Injectable()
export class ReplaysService {
  constructor(
    private readonly transactions: Transactions,
    private readonly events: EventsService,
    private readonly lists: ListsService,
    @Inject(SETTINGS_TOKEN) private readonly settings: Settings,
  ) {}

  /** One at a time for each webhook: two would send the same. */
  start(owner: WebhookOwner, webhookId: string, wanted: NewReplay): Promise<Replay> {
    return this.transactions.run(owner, async (tx, now) => {
      const webhook = await lockEnabledWebhook(tx, owner, webhookId);
      const range = this.rangeOf(wanted, now);
      const replay = newReplay(
        owner,
        { webhookId, choice: wanted.choice, answer: wanted.answer ?? null, ...range },
        now,
      );
      await tx.repository(Replay).insert(replay);
      await this.events.recordActivity(tx, owner, 'webhook_replayed', describeWebhookActivity(webhook));
      return replay;
    });
  }

  /** Newest first. Round trips: 4. */
  async list(owner: WebhookOwner, webhookId: string, request: PageRequest): Promise<Page<Replay>> {
    const webhook = await readWebhook(this.transactions.account(owner), owner, webhookId);
    const conditions = Conditions.forAccount('r');
    conditions.add(`r.webhook_id = ${conditions.bind(webhook.id)}`);
    const listing = { from: 'replays r', id: 'r.id', conditions, order: NEWEST_FIRST };
    return this.lists.page(owner, listing, request, (connection, ids) =>
      loadInOrder(connection, LOAD, ids, (row) => hydrate(Replay, row, 'r')),
    );
  }

  /** What a replay would send, without sending it. Of one webhook, or of all that are not disabled. Round trips: 2. */
  async preview(
    owner: WebhookOwner,
    webhookId: string | null,
    wanted: NewReplay & { readonly event?: EventKind | undefined },
  ): Promise<ReplayPreview> {
    if (webhookId !== null) await readWebhook(this.transactions.account(owner), owner, webhookId);
    const range = this.rangeOf(wanted, this.transactions.now());
    return previewReplay(this.transactions.account(owner), owner, { ...wanted, ...range, webhookId });
  }

  /** The newest of all webhooks. */
  async newest(owner: WebhookOwner): Promise<Replay[]> {
    const rows = await this.transactions.account(owner).rows(NEWEST, ownerValues(owner));
    return rows.flatMap((row) => hydrate(Replay, row, 'r') ?? []);
  }

  async read(owner: WebhookOwner, id: string): Promise<Replay> {
    return replayOf(
      isUuid(id) ? await this.transactions.account(owner).row(READ, [id, ...ownerValues(owner)]) : undefined,
    );
  }

  /** What it has sent on its way already still goes out. One that has ended stays as it is. */
  cancel(owner: WebhookOwner, id: string): Promise<Replay> {
    return this.transactions.run(owner, async (tx, now) => {
      const row = isUuid(id) ? await tx.row(LOCK, [id, ...ownerValues(owner)]) : undefined;
      const replay = replayOf(row);
      if (!replay.cancel(now)) return replay;
      await tx.repository(Replay).update({ id }, { state: replay.state, finishedAt: now });
      const { url, event } = row as { url: string; event: string };
      await this.events.recordActivity(
        tx,
        owner,
        'webhook_replay_cancelled',
        describeWebhookActivity({ id: replay.webhookId, url, event }),
      );
      return replay;
    });
  }

  private rangeOf({ since, before }: NewReplay, now: Date): { since: Date; before: Date } {
    const kept = new Date(now.getTime() - this.settings.RETENTION_DAYS * DAY_MS);
    const range = { since: since && since > kept ? since : kept, before: before && before < now ? before : now };
    if (range.since >= range.before)
      throw new InvalidField('before', 'empty_range', 'before must be later than since, and since in the past');
    return range;
  }
}

type ReplayRequest = Pick<Replay, 'webhookId' | 'choice' | 'answer' | 'since' | 'before'>;

function newReplay(owner: WebhookOwner, wanted: ReplayRequest, now: Date): Replay {
  return Object.assign(new Replay(), {
    ...wanted,
    id: uuidAt(now),
    agentId: owner.agentId,
    state: 'counting' as const,
    total: 0,
    redelivered: 0,
    position: null,
    nextStepAt: now,
    createdAt: now,
    finishedAt: null,
  });
}

function replayOf(row: Record<string, unknown> | undefined): Replay {
  const replay = row && hydrate(Replay, row, 'r');
  if (!replay) throw new NotFound('replay');
  return replay;
}
