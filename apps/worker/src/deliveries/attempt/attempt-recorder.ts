import { Clock, Database, later, uuidAt } from '#libs/database';
import {
  type AttemptOutcome,
  type AttemptRecord,
  type NextStep,
  type QueueKind,
  WebhookDisablingService,
  recordAttempts,
  withoutSignature,
} from '#libs/webhooks';
import { Injectable } from '@nestjs/common';
import { DeliverySlotLimiter } from '../limits/delivery-slot-limiter.js';
import { MicroBatch, retryTransient } from '../../micro-batch.js';
import type { FinishedAttempt } from './due-delivery.js';
import { AttemptMetrics } from './attempt-metrics.js';
import { ATTEMPTS_PER_BATCH, EXPRESS_RECORD_MIN_BATCH, RECORD_LINGER_MS } from '../limits/limits.js';
import { RECEIVER_SLOW_FOR_MS } from '../limits/request-limiter.js';

/** Share of the slots. Higher, a low concurrency waits for itself. */
const MAX_SLOTS_WAITING_FOR_MIN_BATCH = 1 / 4;

/** Round trips per batch of up to 200: PostgreSQL 1. */
@Injectable()
export class AttemptRecorder {
  /** Express never waits for a batch of bulk. */
  private readonly batches: Readonly<Record<QueueKind, MicroBatch<AttemptRecord, unknown>>>;

  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    slots: DeliverySlotLimiter,
    private readonly telemetry: AttemptMetrics,
    private readonly disabling: WebhookDisablingService,
  ) {
    const items = Math.min(EXPRESS_RECORD_MIN_BATCH.items, Math.ceil(slots.max * MAX_SLOTS_WAITING_FOR_MIN_BATCH));
    const options = {
      work: (records: readonly AttemptRecord[]) => this.writeAll(records),
      maxItems: ATTEMPTS_PER_BATCH,
      maxConcurrent: 1,
      lingerMs: RECORD_LINGER_MS,
    };
    this.batches = {
      express: new MicroBatch({ ...options, minBatch: { ...EXPRESS_RECORD_MIN_BATCH, items } }),
      bulk: new MicroBatch(options),
    };
  }

  /** Resolves after the commit. */
  async record(finished: FinishedAttempt, queueKind: QueueKind): Promise<void> {
    const record = attemptRecord(finished, this.clock.now());
    const error = await this.batches[queueKind].run(record);
    if (error !== undefined) throw error;
    this.telemetry.finished(finished);
    if (finished.step.kind !== 'cancelled') return;
    const request = { webhookId: finished.delivery.webhookId, reason: 'gone' } as const;
    if (await this.disabling.disable(request)) this.telemetry.worker.disabled(request);
  }

  /** One rejected record must not lose the others. */
  private async writeAll(records: readonly AttemptRecord[]): Promise<unknown[]> {
    const error = await this.errorOf(records);
    if (error === undefined) return [];
    if (records.length === 1) return [error];
    return Promise.all(records.map((record) => this.errorOf([record])));
  }

  private errorOf(records: readonly AttemptRecord[]): Promise<unknown> {
    return retryTransient(() => recordAttempts(this.database.system(), records, this.clock.now())).then(
      () => undefined,
      (error: unknown) => error,
    );
  }
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

export function isTimeout(outcome: AttemptOutcome): boolean {
  return outcome.kind === 'failed' && outcome.error === 'timeout';
}

type StepColumns = Pick<AttemptRecord, 'nextReason' | 'nextAttemptAt' | 'state' | 'pacedUntil'>;

function stepColumns(step: NextStep): StepColumns {
  if (step.kind === 'retrying')
    return { state: 'pending', nextReason: step.reason, nextAttemptAt: step.at, pacedUntil: step.webhookPacedUntil };
  const settled = { nextAttemptAt: null, pacedUntil: null };
  if (step.kind === 'delivered') return { ...settled, state: 'delivered', nextReason: null };
  if (step.kind === 'cancelled') return { ...settled, state: 'cancelled', nextReason: 'gone' };
  return { ...settled, state: 'exhausted', nextReason: 'exhausted', pacedUntil: step.webhookPacedUntil };
}
