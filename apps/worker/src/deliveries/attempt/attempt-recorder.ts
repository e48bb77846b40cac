import { Clock, Database } from '#libs/database';
import { type AttemptRecord, type QueueKind, recordAttempts } from '#libs/webhooks';
import { Injectable } from '@nestjs/common';
import { DeliverySlotLimiter } from '../limits/delivery-slot-limiter.js';
import { MicroBatch, type MicroBatchOptions } from '../../micro-batch.js';
import { AutoDisableService } from '../../upkeep/auto-disable.service.js';
import { type FinishedAttempt, attemptRecord } from './attempt-record.js';
import { AttemptMetrics } from './attempt-metrics.js';
import { retryTransient } from '../../retry-transient.js';
import {
  ATTEMPTS_PER_BATCH,
  EXPRESS_RECORD_COMPANY,
  RECORD_LINGER_MS,
  SLOTS_WAITING_FOR_COMPANY,
} from '../limits/limits.js';

/** Records attempts in batches. Round trips per batch of up to 200: PostgreSQL 1. */
@Injectable()
export class AttemptRecorder {
  /** One for each queue, so that express never waits for a batch of bulk. */
  private readonly batches: Readonly<Record<QueueKind, MicroBatch<AttemptRecord, unknown>>>;

  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly slots: DeliverySlotLimiter,
    private readonly telemetry: AttemptMetrics,
    private readonly autoDisable: AutoDisableService,
  ) {
    const items = Math.min(EXPRESS_RECORD_COMPANY.items, Math.ceil(slots.max * SLOTS_WAITING_FOR_COMPANY));
    this.batches = {
      express: this.newBatch({ company: { ...EXPRESS_RECORD_COMPANY, items } }),
      bulk: this.newBatch(),
    };
  }

  /** Resolves after the commit, and after a webhook whose receiver is gone has ended. */
  async record(finished: FinishedAttempt, queueKind: QueueKind): Promise<void> {
    const record = attemptRecord(finished, this.clock.now());
    const error = await this.write(record, queueKind);
    if (error !== undefined) throw error;
    this.telemetry.finished(finished);
    if (finished.step.kind === 'gone')
      await this.autoDisable.disable({ webhookId: finished.delivery.webhookId, reason: 'gone' });
  }

  /** How long an express one takes is mostly its wait for others, and does not tell how busy we are. */
  private write(record: AttemptRecord, queueKind: QueueKind): Promise<unknown> {
    const step = () => this.batches[queueKind].run(record);
    return queueKind === 'bulk' ? this.slots.timeStep(step) : step();
  }

  private newBatch(
    company: Pick<MicroBatchOptions<AttemptRecord, unknown>, 'company'> = {},
  ): MicroBatch<AttemptRecord, unknown> {
    return new MicroBatch({
      work: (records) => this.writeAll(records),
      maxItems: ATTEMPTS_PER_BATCH,
      maxConcurrent: 1,
      lingerMs: RECORD_LINGER_MS,
      ...company,
    });
  }

  /** A record that PostgreSQL rejects must not stop the others, so they are written one by one then. */
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
