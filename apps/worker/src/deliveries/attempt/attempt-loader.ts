import { Clock, Database, type SystemConnection } from '#libs/database';
import { SecretBox } from '#libs/secret-box';
import { SETTINGS_TOKEN, type Settings } from '#libs/settings';
import { LEASE_MS } from '#libs/webhooks';
import { Inject, Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { MicroBatch, retryTransient } from '../../micro-batch.js';
import { WorkerMetrics } from '../../telemetry/worker-metrics.js';
import {
  type DueDeliveryRow,
  type SealedSecret,
  readFirstDeliveries,
  readOwedDeliveries,
  readSecrets,
} from './attempt.statements.js';
import type { DueDelivery, LeasedDelivery, LoadedEvent } from './due-delivery.js';

/** Secrets of webhooks, and their keys at 2 KB each. More fill memory. */
export const MAX_CACHED_KEYS = 10_000;

/** A secret never changes under its id. */
@Injectable()
export class SecretCache {
  private readonly box: SecretBox;
  private readonly opened = new LRUCache<string, string>({ max: MAX_CACHED_KEYS });

  constructor(
    private readonly database: Database,
    private readonly telemetry: WorkerMetrics,
    @Inject(SETTINGS_TOKEN) settings: Settings,
  ) {
    this.box = new SecretBox(settings.SECRETS_KEY);
  }

  async load(ids: readonly string[]): Promise<void> {
    // `get` marks secrets as used, so this read does not evict them.
    const unknown = [...new Set(ids)].filter((id) => this.opened.get(id) === undefined);
    if (unknown.length === 0) return;
    for (const row of await readSecrets(this.database.system(), unknown)) this.decrypt(row);
  }

  get(ids: readonly string[]): string[] {
    return ids.flatMap((id) => this.opened.get(id) ?? []);
  }

  /** A missing key must not stop the other deliveries of the batch. */
  private decrypt({ id, webhookId, ...sealed }: SealedSecret): void {
    try {
      this.opened.set(id, this.box.open(sealed, webhookId));
    } catch (error) {
      this.telemetry.interrupted('a webhook’s secret cannot be opened, so nothing is sent to it', error);
    }
  }
}

/** With less of its lease left, a delivery could be leased again before the worker renews it. */
const LEASE_MARGIN_MS = LEASE_MS / 3;

interface Loaded {
  readonly loaded: readonly DueDelivery[];
  /** Events whose payloads wait for the next batch. */
  readonly postponed: ReadonlySet<string>;
}

type ReadDueDeliveries<Key> = (db: SystemConnection, keys: readonly Key[], now: Date) => Promise<DueDeliveryRow[]>;

/** Judges the leases at each try: the first may have waited for PostgreSQL. */
const readUnderLease: ReadDueDeliveries<LeasedDelivery> = async (db, leased, now) => {
  const kept = leased.filter(({ leasedUntil }) => leasedUntil.getTime() - now.getTime() > LEASE_MARGIN_MS);
  return kept.length > 0 ? readOwedDeliveries(db, kept, now) : [];
};

/** Round trips per batch: PostgreSQL 1, and 1 more if a secret is new. A batch is bounded by its bytes too. */
@Injectable()
export class AttemptLoader {
  private readonly owed = new MicroBatch<LeasedDelivery, DueDelivery | undefined>(async (leased) => {
    const { loaded, postponed } = await this.read(readUnderLease, leased);
    const found = new Map(loaded.map((delivery) => [delivery.deliveryId, delivery]));
    return leased.map((one) => (postponed.has(one.eventId) ? this.load(one) : found.get(one.deliveryId)));
  });

  private readonly first = new MicroBatch<string, DueDelivery[]>(async (eventIds) => {
    const { loaded, postponed } = await this.read(readFirstDeliveries, eventIds);
    const byEvent = new Map<string, DueDelivery[]>(eventIds.map((id) => [id, []]));
    for (const delivery of loaded) byEvent.get(delivery.event.id)?.push(delivery);
    return eventIds.map((id) => (postponed.has(id) ? this.loadFirst(id) : (byEvent.get(id) ?? [])));
  });

  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly secrets: SecretCache,
  ) {}

  /** Undefined if no longer owed under this lease, or not long enough. */
  load(leased: LeasedDelivery): Promise<DueDelivery | undefined> {
    return this.owed.run(leased);
  }

  /** One for each webhook of an express event; none if the event has left the outbox. */
  loadFirst(eventId: string): Promise<DueDelivery[]> {
    return this.first.run(eventId);
  }

  private read<Key>(statement: ReadDueDeliveries<Key>, keys: readonly Key[]): Promise<Loaded> {
    return retryTransient(async () => this.complete(await statement(this.database.system(), keys, this.clock.now())));
  }

  private async complete(rows: readonly DueDeliveryRow[]): Promise<Loaded> {
    await this.secrets.load(rows.flatMap(({ secretIds }) => splitIds(secretIds)));
    const events = new Map(rows.flatMap((row) => eventIn(row) ?? []));
    const loaded = rows.flatMap((row) => {
      const event = events.get(row.eventId);
      if (!event) return [];
      const { deliveryId, accountId, webhookId, attempts, kind, url, webhookState, pacedUntil, isSlow } = row;
      const webhook = { webhookId, kind, url, webhookState, pacedUntil, isSlow, publiclySigned: row.publiclySigned };
      return { deliveryId, accountId, attempts, ...webhook, secrets: this.secrets.get(splitIds(row.secretIds)), event };
    });
    return { loaded, postponed: new Set(rows.flatMap(({ isPostponed, eventId }) => (isPostponed ? [eventId] : []))) };
  }
}

function eventIn(row: DueDeliveryRow): [[id: string, event: LoadedEvent]] | undefined {
  const { eventId: id, sequence, test, payload, requestId, eventCreatedAt: createdAt } = row;
  if (payload === null) return undefined;
  return [[id, { id, sequence, test, body: Buffer.from(payload, 'utf8'), requestId, createdAt }]];
}

const splitIds = (list: string | null): string[] => list?.split(' ') ?? [];
