import { NIL_UUID } from '#libs/database';
import { Injectable } from '@nestjs/common';
import { Loop, UNTIL_WOKEN } from '../../loop.js';
import { WorkerMetrics } from '../../telemetry/worker-metrics.js';
import { TICK_MS } from '../limits/delivery-slot-limiter.js';
import { LeasesService, PAUSE_AFTER_OUTAGE_MS, RENEW_MS } from './leases.service.js';
import { BoundedQueue, MAX_ROUND } from './bounded-queue.js';

/** A probe and the next delivery. With one, a recovered receiver idles. */
const MAX_QUEUED_PER_SLOW_WEBHOOK = 2;

/**
 * Queues retries, new deliveries without room, those of resumed webhooks, and lost ones. Round trips for up to 250:
 * PostgreSQL 1, Redis 2 at once and 1 to add them.
 */
@Injectable()
export class FeederService {
  readonly loop = new Loop({
    round: () => this.round(),
    onError: (error) => this.telemetry.interrupted('the feeder failed and will retry', error),
    // The pulse resumes when leases of running deliveries have been renewed.
    errorPauseMs: UNTIL_WOKEN,
  });
  private afterWebhook = NIL_UUID;
  private hasBacklog = false;

  constructor(
    private readonly leases: LeasesService,
    private readonly queue: BoundedQueue,
    private readonly telemetry: WorkerMetrics,
  ) {}

  private async round(): Promise<number> {
    const room = await this.queue.room();
    if (room === undefined) return UNTIL_WOKEN;
    if (this.hasBacklog && room < MAX_ROUND) return TICK_MS;
    const batchSize = Math.min(room, MAX_ROUND);
    const leasedUntil = this.leases.leasedUntil();
    const askedAt = performance.now();
    const { webhooks, lastWebhook, found, deliveries } = await this.leases.leaseDue({
      afterWebhook: this.afterWebhook,
      webhooks: MAX_ROUND,
      perSlowWebhook: MAX_QUEUED_PER_SLOW_WEBHOOK,
      capacity: batchSize,
      leasedUntil,
    });
    const wasFrozen = performance.now() - askedAt > RENEW_MS;
    const isWholePage = webhooks === MAX_ROUND;
    this.afterWebhook = isWholePage && lastWebhook !== null ? lastWebhook : NIL_UUID;
    this.telemetry.leasesExpired(found);
    this.telemetry.fed(deliveries.length);
    this.hasBacklog = deliveries.length > 0 && deliveries.length >= batchSize;
    await this.queue.add('bulk', deliveries, leasedUntil);
    if (wasFrozen) return PAUSE_AFTER_OUTAGE_MS;
    if (found > 0 || isWholePage || this.hasBacklog) return 0;
    return deliveries.length > 0 || room === 0 ? TICK_MS : UNTIL_WOKEN;
  }
}
