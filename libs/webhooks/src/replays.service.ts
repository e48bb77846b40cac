import { Transactions, accountStatement, columns, hydrate, isUuid } from '#libs/database';
import { NotFound, Replay } from '#libs/entities';
import { EventsService } from '#libs/events';
import { Conditions, ListsService, type Order, type Page, type PageRequest, loadInOrder } from '#libs/lists';
import { Injectable } from '@nestjs/common';
import { describeWebhookActivity } from './webhook-activity.js';
import { type WebhookOwner, ownerValues, visibleToOwner } from './webhook-owner.js';
import { readWebhook } from './webhook.statements.js';

const NEWEST_FIRST: Order = { name: '-id', descending: true, keys: [{ column: 'r.id', type: 'uuid' }] };

const REPLAYS_OF_WEBHOOKS = 'replays r join webhooks w on w.account_id = r.account_id and w.id = r.webhook_id';

const FIND = `select ${columns(Replay, 'r')}, w.url as "url", w.event as "event"
  from ${REPLAYS_OF_WEBHOOKS}
  where r.account_id = $1 and r.id = $2 and ${visibleToOwner(['$3', '$4', '$5'])}`;
const READ = accountStatement('replay_read', FIND);
const LOCK = accountStatement('replay_lock', `${FIND} for no key update of r`);
const LOAD = accountStatement(
  'replay_load',
  `select ${columns(Replay, 'r')} from replays r where r.account_id = $1 and r.id = any($2)`,
);

const NEWEST = accountStatement(
  'replays_newest',
  `select ${columns(Replay, 'r')} from ${REPLAYS_OF_WEBHOOKS}
   where r.account_id = $1 and ${visibleToOwner(['$2', '$3', '$4'])} order by r.id desc limit 20`,
);

/** Here a replay is looked at and cancelled; the worker carries it out from its row. */
@Injectable()
export class ReplaysService {
  constructor(
    private readonly transactions: Transactions,
    private readonly events: EventsService,
    private readonly lists: ListsService,
  ) {}

  /** Of one webhook, or of all. Newest first. Round trips: 4, and one less of all. */
  async list(owner: WebhookOwner, webhookId: string | null, request: PageRequest): Promise<Page<Replay>> {
    const conditions = Conditions.forAccount('r');
    if (webhookId !== null) {
      const webhook = await readWebhook(this.transactions.account(owner), owner, webhookId);
      conditions.add(`r.webhook_id = ${conditions.bind(webhook.id)}`);
    }
    conditions.add(visibleToOwner(ownerValues(owner).map((value) => conditions.bind(value))));
    const listing = { from: REPLAYS_OF_WEBHOOKS, id: 'r.id', conditions, order: NEWEST_FIRST };
    return this.lists.page(owner, listing, request, (connection, ids) =>
      loadInOrder(connection, LOAD, ids, (row) => hydrate(Replay, row, 'r')),
    );
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
}

function replayOf(row: Record<string, unknown> | undefined): Replay {
  const replay = row && hydrate(Replay, row, 'r');
  if (!replay) throw new NotFound('replay');
  return replay;
}
