import { Clock, Database, later, timeOfUuid, uuidAt } from '#libs/database';
import {
  type AttemptOutcome,
  type AttemptRecord,
  type AttemptRef,
  type FirstRecord,
  LEASE_MS,
  type NextStep,
  recordAttempts,
  recordFirstAttempts,
  withoutSignature,
} from '#libs/delivery';
import { WebhookDisablingService } from '#libs/webhooks';
import { Injectable } from '@nestjs/common';
import { MicroBatch } from '../../micro-batch.js';
import { retryTransient } from '../../retry-transient.js';
import { RECEIVER_SLOW_FOR_MS } from '../limits/request-limiter.js';
import { LeasesService } from '../queue/leases.service.js';
import { AttemptMetrics } from './attempt-metrics.js';
import type { AttemptResult, DueDelivery, FinishedAttempt } from './due-delivery.js';

/** Attempts of this time share a commit. Their receivers already have the events. */
const LINGER_MS = 10;

/** Without a result, the attempt is still running. */
interface FirstResult {
  readonly delivery: DueDelivery;
  readonly result: AttemptResult | undefined;
}

interface FirstAttempts {
  readonly eventId: string;
  readonly results: readonly FirstResult[];
}

/** Round trips per batch: PostgreSQL 1. */
@Injectable()
export class AttemptRecorder {
  private readonly owed = newBatch<FinishedAttempt, void>(async (finished, texts) => {
    const now = this.clock.now();
    const records = finished.map((attempt) => ({ ...attemptRecord(attempt, now), ...texts }));
    await recordAttempts(this.database.system(), records, now);
    return [];
  });

  private readonly first = newBatch<FirstAttempts, boolean>(async (events, texts) => {
    const now = this.clock.now();
    const ids = events.map(({ eventId }) => eventId);
    const records = events.flatMap(({ results }) => results.map((one) => ({ ...firstRecord(one, now), ...texts })));
    const recorded = await recordFirstAttempts(this.database.system(), ids, records, now);
    const deliveries = records.filter(({ eventId }) => recorded.has(eventId)).length;
    const [oldestEventId = null] = [...recorded].toSorted();
    this.telemetry.worker.relayed({ events: recorded.size, deliveries, oldestEventId, now });
    return ids.map((id) => recorded.has(id));
  });

  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly telemetry: AttemptMetrics,
    private readonly disabling: WebhookDisablingService,
    private readonly leases: LeasesService,
  ) {}

  /** Resolves after the commit. A postponed delivery is owed again. */
  async record(ref: AttemptRef, result: AttemptResult): Promise<void> {
    if ('outcome' in result) {
      await this.owed.run(result);
      return this.finished(result);
    }
    this.telemetry.postponed(result.reason);
    await this.leases.giveBack(ref, result.forMs);
  }

  /** Writes the deliveries of an express event. False if it has left the outbox meanwhile. */
  async recordFirst(eventId: string, results: readonly FirstResult[]): Promise<boolean> {
    const isRecorded = await this.first.run({ eventId, results });
    for (const { result } of isRecorded ? results : []) {
      if (!result) continue;
      if ('outcome' in result) await this.finished(result);
      else this.telemetry.postponed(result.reason);
    }
    return isRecorded;
  }

  private async finished(finished: FinishedAttempt): Promise<void> {
    this.telemetry.finished(finished);
    if (finished.step.kind !== 'cancelled') return;
    const { webhookId, url } = finished.delivery;
    const request = { webhookId, url, reason: 'gone' } as const;
    if (await this.disabling.disable(request)) this.telemetry.worker.disabled(request);
  }
}

/** The columns of texts that receivers control. */
type Texts = Pick<AttemptRecord, 'errorDetail' | 'responseBody' | 'requestHeaders'>;

const NO_TEXTS: Texts = { errorDetail: null, responseBody: null, requestHeaders: '{}' };

/** If PostgreSQL refuses a single item, its texts are dropped: without a record, the event would be sent again. */
function newBatch<In, Out>(write: (items: readonly In[], texts?: Texts) => Promise<Out[]>): MicroBatch<In, Out> {
  const perform = (items: readonly In[]) =>
    retryTransient(() => write(items)).catch((error: unknown) => {
      if (items.length > 1) throw error;
      return retryTransient(() => write(items, NO_TEXTS));
    });
  return new MicroBatch(perform, { lingerMs: LINGER_MS });
}

function attemptRecord({ delivery, request, outcome, step }: FinishedAttempt, now: Date): AttemptRecord {
  return {
    id: uuidAt(now),
    accountId: delivery.accountId,
    webhookId: delivery.webhookId,
    deliveryId: delivery.deliveryId,
    number: delivery.attempts + 1,
    startedAt: request.startedAt,
    durationMs: Math.round(outcome.durationMs),
    status: outcome.status,
    error: outcome.kind === 'failed' ? outcome.error : null,
    errorDetail: outcome.kind === 'failed' ? outcome.detail : null,
    responseBody: outcome.body === '' ? null : outcome.body,
    requestHeaders: JSON.stringify(withoutSignature(request.headers)),
    slowUntil: isTimeout(outcome) ? later(now, RECEIVER_SLOW_FOR_MS) : null,
    ...stepColumns(step),
  };
}

function firstRecord({ delivery, result }: FirstResult, now: Date): FirstRecord {
  const { deliveryId, kind, event } = delivery;
  const base = { eventId: event.id, kind, createdAt: timeOfUuid(deliveryId), ended: true, queued: false };
  if (result && 'outcome' in result) {
    const record = attemptRecord(result, now);
    return { ...base, ...record, dueAt: record.nextAttemptAt };
  }
  const unattempted = { ...base, ...notAttempted(delivery, now), ended: false };
  if (!result) return { ...unattempted, queued: true, dueAt: later(now, LEASE_MS) };
  return { ...unattempted, dueAt: later(now, result.forMs) };
}

const notAttempted = ({ accountId, webhookId, deliveryId }: DueDelivery, now: Date): AttemptRecord => ({
  id: uuidAt(now),
  accountId,
  webhookId,
  deliveryId,
  number: 1,
  startedAt: now,
  durationMs: 0,
  status: null,
  error: null,
  ...NO_TEXTS,
  nextReason: null,
  state: 'pending',
  nextAttemptAt: now,
  retryAfterUntil: null,
  slowUntil: null,
});

export function isTimeout(outcome: AttemptOutcome): boolean {
  return outcome.kind === 'failed' && outcome.error === 'timeout';
}

type StepColumns = Pick<AttemptRecord, 'nextReason' | 'nextAttemptAt' | 'state' | 'retryAfterUntil'>;

function stepColumns(step: NextStep): StepColumns {
  if (step.kind === 'retrying')
    return {
      state: 'pending',
      nextReason: step.reason,
      nextAttemptAt: step.at,
      retryAfterUntil: step.webhookRetryAfterUntil,
    };
  const settled = { nextAttemptAt: null, retryAfterUntil: null };
  if (step.kind === 'delivered') return { ...settled, state: 'delivered', nextReason: null };
  if (step.kind === 'cancelled') return { ...settled, state: 'cancelled', nextReason: 'gone' };
  return { ...settled, state: 'exhausted', nextReason: 'exhausted', retryAfterUntil: step.webhookRetryAfterUntil };
}
