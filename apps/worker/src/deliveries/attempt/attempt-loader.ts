import { Clock, Database } from '#libs/database';
import { Injectable } from '@nestjs/common';
import { MicroBatch, retryTransient } from '../../micro-batch.js';
import { type DueDeliveryRow, readFirstDeliveries, readOwedDeliveries } from './attempt.statements.js';
import type { DueDelivery, LeasedDelivery, LoadedEvent } from './due-delivery.js';
import { SecretCache } from './secret-cache.js';

/** Larger batches take long to read. */
const MAX_ITEMS = 200;

/** Longer delays a single event; shorter loads each job of a burst alone. */
const LINGER_MS = 1;

/** With less of its lease left, a delivery could be leased again before the worker renews it. */
const LEASE_MARGIN_MS = 3_000;

/** Round trips per batch: PostgreSQL 1, and 1 more if a secret is new. */
@Injectable()
export class AttemptLoader {
  private readonly owed = this.newBatch<LeasedDelivery, DueDelivery | undefined>(async (leased) => {
    const rows = await readOwedDeliveries(this.database.system(), leased, this.clock.now());
    const found = new Map((await this.complete(rows)).map((delivery) => [delivery.deliveryId, delivery]));
    return leased.map(({ deliveryId }) => found.get(deliveryId));
  });

  private readonly first = this.newBatch<string, DueDelivery[]>(async (eventIds) => {
    const rows = await readFirstDeliveries(this.database.system(), eventIds, this.clock.now());
    const byEvent = new Map<string, DueDelivery[]>(eventIds.map((id) => [id, []]));
    for (const delivery of await this.complete(rows)) byEvent.get(delivery.event.id)?.push(delivery);
    return eventIds.map((id) => byEvent.get(id) ?? []);
  });

  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly secrets: SecretCache,
  ) {}

  /** Undefined if no longer owed under this lease, or not long enough. */
  async load(leased: LeasedDelivery): Promise<DueDelivery | undefined> {
    const leftMs = leased.leasedUntil.getTime() - this.clock.now().getTime();
    return leftMs > LEASE_MARGIN_MS ? this.owed.run(leased) : undefined;
  }

  /** One for each webhook of an express event; none if the event has left the outbox. */
  loadFirst(eventId: string): Promise<DueDelivery[]> {
    return this.first.run(eventId);
  }

  private newBatch<In, Out>(load: (items: readonly In[]) => Promise<Out[]>): MicroBatch<In, Out> {
    const work = (items: readonly In[]) => retryTransient(() => load(items));
    return new MicroBatch({ work, maxItems: MAX_ITEMS, maxConcurrent: 1, lingerMs: LINGER_MS });
  }

  private async complete(rows: readonly DueDeliveryRow[]): Promise<DueDelivery[]> {
    await this.secrets.load(rows.flatMap(({ secretIds }) => splitIds(secretIds)));
    const events = new Map(rows.flatMap((row) => eventIn(row) ?? []));
    return rows.flatMap((row) => {
      const event = events.get(row.eventId);
      if (!event) return [];
      const { deliveryId, accountId, webhookId, attempts, kind, url, webhookState, pacedUntil, isSlow } = row;
      const webhook = { webhookId, kind, url, webhookState, pacedUntil, isSlow, publiclySigned: row.publiclySigned };
      return { deliveryId, accountId, attempts, ...webhook, secrets: this.secrets.get(splitIds(row.secretIds)), event };
    });
  }
}

function eventIn(row: DueDeliveryRow): [[id: string, event: LoadedEvent]] | undefined {
  const { eventId: id, sequence, test, payload, requestId, eventCreatedAt: createdAt } = row;
  if (payload === null) return undefined;
  return [[id, { id, sequence, test, body: Buffer.from(payload, 'utf8'), requestId, createdAt }]];
}

const splitIds = (list: string | null): string[] => list?.split(' ') ?? [];
