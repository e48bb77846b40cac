import { Clock, Database, type SystemConnection } from '#libs/database';
import { Injectable } from '@nestjs/common';
import { MicroBatch, retryTransient } from '../../micro-batch.js';
import { type DueDeliveryRow, readFirstDeliveries, readOwedDeliveries } from './attempt.statements.js';
import type { DueDelivery, LeasedDelivery, LoadedEvent } from './due-delivery.js';
import { SecretCache } from './secret-cache.js';

/** With less of its lease left, a delivery could be leased again before the worker renews it. */
const LEASE_MARGIN_MS = 3_000;

type ReadDueDeliveries<Key> = (db: SystemConnection, keys: readonly Key[], now: Date) => Promise<DueDeliveryRow[]>;

/** Round trips per batch: PostgreSQL 1, and 1 more if a secret is new. */
@Injectable()
export class AttemptLoader {
  private readonly owed = new MicroBatch<LeasedDelivery, DueDelivery | undefined>(async (leased) => {
    const rows = await this.read(readOwedDeliveries, leased);
    const found = new Map(rows.map((delivery) => [delivery.deliveryId, delivery]));
    return leased.map(({ deliveryId }) => found.get(deliveryId));
  });

  private readonly first = new MicroBatch<string, DueDelivery[]>(async (eventIds) => {
    const rows = await this.read(readFirstDeliveries, eventIds);
    const byEvent = new Map<string, DueDelivery[]>(eventIds.map((id) => [id, []]));
    for (const delivery of rows) byEvent.get(delivery.event.id)?.push(delivery);
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

  private read<Key>(statement: ReadDueDeliveries<Key>, keys: readonly Key[]): Promise<DueDelivery[]> {
    return retryTransient(async () => this.complete(await statement(this.database.system(), keys, this.clock.now())));
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
