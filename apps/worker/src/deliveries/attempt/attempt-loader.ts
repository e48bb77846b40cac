import { Clock, Database, type SystemConnection, uuidAt } from '#libs/database';
import { type EventContent, EventContentService, type EventJob, LEASE_MS } from '#libs/delivery';
import { Injectable } from '@nestjs/common';
import { MicroBatch } from '../../micro-batch.js';
import { retryTransient } from '../../retry-transient.js';
import { type DueDeliveryRow, readFirstDeliveries, readOwedDeliveries } from './attempt.statements.js';
import type { DueDelivery, LeasedDelivery, LoadedEvent } from './due-delivery.js';
import { SecretCache } from './secret-cache.js';

/** With less of its lease left, a delivery could be leased again before the worker renews it. */
const LEASE_MARGIN_MS = LEASE_MS / 3;

/** If it were longer, an event would go to webhooks that were changed meanwhile. */
const MAX_CONTENT_AGE_MS = 1_000;

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

  private readonly first: MicroBatch<string, DueDelivery[]> = new MicroBatch(async (eventIds) => {
    const { loaded, postponed } = await this.read(readFirstDeliveries, eventIds);
    const byEvent = new Map<string, DueDelivery[]>(eventIds.map((id) => [id, []]));
    for (const delivery of loaded) byEvent.get(delivery.event.id)?.push(delivery);
    return eventIds.map((id) => (postponed.has(id) ? this.first.run(id) : (byEvent.get(id) ?? [])));
  });

  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly secrets: SecretCache,
    private readonly contents: EventContentService,
  ) {}

  /** Undefined if no longer owed under this lease, or not long enough. */
  load(leased: LeasedDelivery): Promise<DueDelivery | undefined> {
    return this.owed.run(leased);
  }

  /** One for each webhook of an express event; none if the event has left the outbox. */
  async loadFirst({ eventId, content }: EventJob): Promise<DueDelivery[]> {
    const now = this.clock.now();
    const opened = content === undefined ? undefined : this.contents.open(eventId, content);
    const isRecent = opened && Math.abs(now.getTime() - opened.createdAt.getTime()) < MAX_CONTENT_AGE_MS;
    return isRecent ? this.deliveriesIn(eventId, opened, now) : this.first.run(eventId);
  }

  private async deliveriesIn(id: string, content: EventContent, now: Date): Promise<DueDelivery[]> {
    const { accountId, kind, payload, sequence, requestId, cause, traceparent, createdAt, receivers } = content;
    const body = Buffer.from(payload, 'utf8');
    const event = { id, sequence, test: false, body, requestId, cause, traceparent, createdAt };
    const open = { webhookState: 'active', retryAfterUntil: null, isSlow: false } as const;
    const of = { accountId, attempts: 0, kind, event, ...open };
    const ids = receivers.flatMap(([, , , secretIds, headersId]) => splitIds(secretIds, headersId));
    await retryTransient(() => this.secrets.load(ids));
    return receivers.map(([webhookId, url, publiclySigned, secretIds, headersId]) => {
      const secrets = this.secrets.of(splitIds(secretIds), headersId);
      return { ...of, deliveryId: uuidAt(now), webhookId, url, publiclySigned, ...secrets };
    });
  }

  private read<Key>(statement: ReadDueDeliveries<Key>, keys: readonly Key[]): Promise<Loaded> {
    return retryTransient(async () => this.complete(await statement(this.database.system(), keys, this.clock.now())));
  }

  private async complete(rows: readonly DueDeliveryRow[]): Promise<Loaded> {
    await this.secrets.load(rows.flatMap(({ secretIds, headersId }) => splitIds(secretIds, headersId)));
    const events = new Map(rows.flatMap((row) => eventIn(row) ?? []));
    const loaded = rows.flatMap((row) => {
      const event = events.get(row.eventId);
      if (!event) return [];
      const { deliveryId, accountId, attempts, webhookId, kind, url } = row;
      const { webhookState, retryAfterUntil, isSlow, publiclySigned } = row;
      const webhook = { webhookId, kind, url, webhookState, retryAfterUntil, isSlow, publiclySigned };
      const secrets = this.secrets.of(splitIds(row.secretIds), row.headersId);
      return { deliveryId, accountId, attempts, ...webhook, ...secrets, event };
    });
    return { loaded, postponed: new Set(rows.flatMap(({ isPostponed, eventId }) => (isPostponed ? [eventId] : []))) };
  }
}

function eventIn(row: DueDeliveryRow): [[id: string, event: LoadedEvent]] | undefined {
  const { eventId: id, sequence, test, payload, requestId, cause, traceparent, eventCreatedAt: createdAt } = row;
  if (payload === null) return undefined;
  return [[id, { id, sequence, test, body: Buffer.from(payload, 'utf8'), requestId, cause, traceparent, createdAt }]];
}

const splitIds = (list: string | null, other: string | null = null): string[] => [
  ...(list?.split(' ') ?? []),
  ...(other === null ? [] : [other]),
];
