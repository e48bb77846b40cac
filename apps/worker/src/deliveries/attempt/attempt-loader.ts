import { Clock, Database, arrayLiteral, filter, systemStatement } from '#libs/database';
import type { BroughtDelivery, QueueKind } from '#libs/webhooks';
import { Injectable } from '@nestjs/common';
import { MicroBatch } from '../../micro-batch.js';
import { DeliverySlotLimiter } from '../limits/delivery-slot-limiter.js';
import { ClaimedDeliveryCache } from '../queue/claimed-delivery-cache.js';
import type { DueDelivery, LeasedDelivery, LoadedEvent } from './due-delivery.js';
import { EventCache } from './event-cache.js';
import { SecretCache } from './secret-cache.js';
import { retryTransient } from '../../retry-transient.js';
import { ATTEMPTS_PER_BATCH, LOAD_LINGER_MS } from '../limits/limits.js';

/**
 * Finds only deliveries that are still owed under the lease of their job. A delivery that has since been delivered,
 * cancelled, tried or given to another job has no row. An event that several deliveries share comes once, and only if it
 * is not cached: with a row that is found, so after the webhooks are looked up. Secrets come as ids, newest first; a replaced secret still signs until it expires.
 */
const LOAD = systemStatement(
  'delivery_load',
  'A batch holds deliveries of many accounts; each row is read with its own webhook, secrets and event',
  `select o.delivery_id as "deliveryId", o.account_id as "accountId", o.webhook_id as "webhookId", o.attempts,
     o.kind, o.url, o.state as "webhookState", o.paced_until as "pacedUntil", o.publicly_signed as "publiclySigned",
     (select string_agg(s.id::text, ' ' order by s.created_at desc) from webhook_secrets s
      where s.webhook_id = o.webhook_id and (s.expires_at is null or s.expires_at > $3)) as "secretIds",
     e.id as "eventId", e.sequence, e.test, e.payload, e.request_id as "requestId", e.created_at as "eventCreatedAt"
   from (
     select o.delivery_id, o.account_id, o.webhook_id, o.attempts, w.event as kind, w.url, w.state, w.paced_until, w.publicly_signed,
       o.event_id = any($4::uuid[]) and row_number() over (partition by o.event_id) = 1 as brings_event, o.event_id
     from unnest($1::uuid[], $2::timestamptz[]) as asked(delivery_id, leased_until)
     cross join lateral (
       select * from owed_deliveries
       where delivery_id = asked.delivery_id and ${filter('feed_at = asked.leased_until and queued')} limit 1
     ) o
     cross join lateral (select * from webhooks where id = o.webhook_id limit 1) w
   ) o
   left join lateral (select * from events where id = o.event_id and o.brings_event limit 1) e on true`,
);

type EventColumns = Pick<DueDeliveryRow, 'eventId' | 'sequence' | 'test' | 'payload' | 'requestId' | 'eventCreatedAt'>;

interface DueDeliveryRow extends Omit<DueDelivery, 'secrets' | 'event'> {
  readonly secretIds: string | null;
  readonly eventId: string | null;
  readonly sequence: string;
  readonly test: boolean;
  readonly payload: string;
  readonly requestId: string | null;
  readonly eventCreatedAt: Date;
}

/** Loads deliveries in batches. Round trips per batch of up to 200: PostgreSQL 1, and 1 more when a secret is new. */
@Injectable()
export class AttemptLoader {
  /** One for each queue, so that express never waits for a batch of bulk. */
  private readonly batches: Readonly<Record<QueueKind, MicroBatch<LeasedDelivery, DueDelivery | null>>> = {
    express: this.newBatch(),
    bulk: this.newBatch(),
  };
  private readonly events = new EventCache();

  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly secrets: SecretCache,
    private readonly slots: DeliverySlotLimiter,
    private readonly brought: ClaimedDeliveryCache,
  ) {}

  /** Null when the delivery is no longer owed under this lease. No round trip for what its claim brought along. */
  load(wanted: LeasedDelivery): Promise<DueDelivery | null> {
    const brought = this.brought.take(wanted);
    if (brought) return this.complete(brought);
    return this.slots.timeStep(() => this.batches[wanted.queueKind].run(wanted));
  }

  private async complete(brought: BroughtDelivery): Promise<DueDelivery> {
    const { deliveryId, accountId, webhookId, kind, url, publiclySigned } = brought;
    const secretIds = splitIds(brought.secretIds);
    await retryTransient(() => this.secrets.load(secretIds));
    const webhook = {
      accountId,
      webhookId,
      kind,
      url,
      webhookState: 'active',
      pacedUntil: null,
      publiclySigned,
    } as const;
    return { deliveryId, attempts: 0, ...webhook, secrets: this.secrets.get(secretIds), event: eventOf(brought) };
  }

  private newBatch(): MicroBatch<LeasedDelivery, DueDelivery | null> {
    return new MicroBatch({
      work: (wanted) => retryTransient(() => this.loadAll(wanted)),
      maxItems: ATTEMPTS_PER_BATCH,
      maxConcurrent: 1,
      lingerMs: LOAD_LINGER_MS,
    });
  }

  private async loadAll(wanted: readonly LeasedDelivery[]): Promise<(DueDelivery | null)[]> {
    const events = this.events.getAll(wanted.map(({ eventId }) => eventId));
    const unknown = wanted.map(({ eventId }) => eventId).filter((id) => !events.has(id));
    const rows = await this.read(wanted, [...new Set(unknown)]);
    for (const row of rows) if (row.eventId !== null) events.set(row.eventId, this.events.offer(eventOf(row)));
    await this.secrets.load(rows.flatMap(({ secretIds }) => splitIds(secretIds)));
    const found = new Map(rows.map((row) => [row.deliveryId, row]));
    return wanted.map(({ deliveryId, eventId }) => this.assemble(found.get(deliveryId), events.get(eventId)));
  }

  private read(wanted: readonly LeasedDelivery[], unknownEvents: readonly string[]): Promise<DueDeliveryRow[]> {
    const deliveryIds = arrayLiteral(wanted.map(({ deliveryId }) => deliveryId));
    const leases = arrayLiteral(wanted.map(({ leasedUntil }) => leasedUntil));
    return this.database
      .system()
      .rows<DueDeliveryRow>(LOAD, [deliveryIds, leases, this.clock.now(), arrayLiteral(unknownEvents)]);
  }

  private assemble(row: DueDeliveryRow | undefined, event: LoadedEvent | undefined): DueDelivery | null {
    if (!row || !event) return null;
    const {
      deliveryId,
      accountId,
      webhookId,
      attempts,
      kind,
      url,
      webhookState,
      pacedUntil,
      publiclySigned,
      secretIds,
    } = row;
    const secrets = this.secrets.get(splitIds(secretIds));
    const webhook = { accountId, webhookId, kind, url, webhookState, pacedUntil, publiclySigned };
    return { deliveryId, attempts, ...webhook, secrets, event };
  }
}

function eventOf(row: EventColumns): LoadedEvent {
  const { eventId, sequence, test, payload, requestId, eventCreatedAt: createdAt } = row;
  return { id: eventId!, sequence, test, body: Buffer.from(payload, 'utf8'), requestId, createdAt };
}

function splitIds(list: string | null): string[] {
  return list === null ? [] : list.split(' ');
}
