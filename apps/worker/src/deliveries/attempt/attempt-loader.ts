import { Clock, Database } from '#libs/database';
import type { ClaimedAttempt } from '#libs/webhooks';
import { Injectable } from '@nestjs/common';
import { MicroBatch, retryTransient } from '../../micro-batch.js';
import { ATTEMPTS_PER_BATCH, LOAD_LINGER_MS } from '../limits/limits.js';
import { EventClaimsService } from '../queue/event-claims.service.js';
import { type DueDeliveryRow, readDueDeliveries } from './attempt.statements.js';
import type { DueDelivery, LeasedDelivery, LoadedEvent } from './due-delivery.js';
import { EventCache } from './event-cache.js';
import { SecretCache } from './secret-cache.js';

/** Round trips per batch of up to 200: PostgreSQL 1, and 1 more if a secret is new. */
@Injectable()
export class AttemptLoader {
  /** Express never waits for a batch of bulk. */
  private readonly batches = { express: this.newBatch(), bulk: this.newBatch() };
  private readonly events = new EventCache();

  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly secrets: SecretCache,
    private readonly claims: EventClaimsService,
  ) {}

  /** Null if no longer owed under this lease. A row that its claim returned costs no round trip. */
  load(leased: LeasedDelivery): Promise<DueDelivery | null> {
    const claimed = this.claims.takeAttempt(leased);
    if (claimed) return this.complete(claimed);
    return this.batches[leased.queueKind].run(leased);
  }

  private async complete(claimed: ClaimedAttempt): Promise<DueDelivery> {
    const { deliveryId, accountId, webhookId, kind, url, publiclySigned } = claimed;
    const secretIds = splitIds(claimed.secretIds);
    await retryTransient(() => this.secrets.load(secretIds));
    const webhook = { accountId, webhookId, kind, url, publiclySigned };
    const state = { attempts: 0, webhookState: 'active', pacedUntil: null } as const;
    return { deliveryId, ...webhook, ...state, secrets: this.secrets.get(secretIds), event: eventOf(claimed) };
  }

  private newBatch(): MicroBatch<LeasedDelivery, DueDelivery | null> {
    return new MicroBatch({
      work: (leased) => retryTransient(() => this.loadAll(leased)),
      maxItems: ATTEMPTS_PER_BATCH,
      maxConcurrent: 1,
      lingerMs: LOAD_LINGER_MS,
    });
  }

  private async loadAll(leased: readonly LeasedDelivery[]): Promise<(DueDelivery | null)[]> {
    const events = this.events.getAll(leased.map(({ eventId }) => eventId));
    const unknownEvents = new Set(leased.map(({ eventId }) => eventId).filter((id) => !events.has(id)));
    const options = { unknownEvents: [...unknownEvents], now: this.clock.now() };
    const rows = await readDueDeliveries(this.database.system(), leased, options);
    for (const row of rows) if (row.eventId !== null) events.set(row.eventId, this.events.offer(eventOf(row)));
    await this.secrets.load(rows.flatMap(({ secretIds }) => splitIds(secretIds)));
    const found = new Map(rows.map((row) => [row.deliveryId, row]));
    return leased.map(({ deliveryId, eventId }) => this.assemble(found.get(deliveryId), events.get(eventId)));
  }

  private assemble(row: DueDeliveryRow | undefined, event: LoadedEvent | undefined): DueDelivery | null {
    if (!row || !event) return null;
    const { deliveryId, accountId, webhookId, attempts, kind, url, webhookState, pacedUntil, publiclySigned } = row;
    const webhook = { accountId, webhookId, kind, url, webhookState, pacedUntil, publiclySigned };
    return { deliveryId, attempts, ...webhook, secrets: this.secrets.get(splitIds(row.secretIds)), event };
  }
}

function eventOf(row: DueDeliveryRow | ClaimedAttempt): LoadedEvent {
  const { eventId, sequence, test, payload, requestId, eventCreatedAt: createdAt } = row;
  return { id: eventId!, sequence, test, body: Buffer.from(payload, 'utf8'), requestId, createdAt };
}

const splitIds = (list: string | null): string[] => list?.split(' ') ?? [];
