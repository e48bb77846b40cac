import { setTimeout as delay } from 'node:timers/promises';
import { DeliveryQueue } from '#libs/webhooks';
import { Injectable } from '@nestjs/common';
import { Loop } from '../loop.js';
import { WorkerTelemetry } from '../telemetry/worker-telemetry.js';
import { InFlightDeliveries } from './in-flight-deliveries.js';
import { OwedDeliveries } from './owed-deliveries.js';
import { QUEUE_LOSS_CHECK_MS, RECLAIM_DELAY_MS } from '../fairness/limits.js';

/**
 * Notices that the queue's memory was wiped, restarted or replaced, at most a quarter of a second later. Nothing that
 * was queued before can be relied upon then, except what is in somebody's hands: so all of it is owed again, and every
 * worker says what it still works on. Idle: Redis 1 round trip each time, PostgreSQL none.
 */
@Injectable()
export class QueueLossDetector {
  private readonly loop = new Loop({
    round: () => this.check(),
    onError: (error) => this.telemetry.interrupted('the queue could not be asked whether it remembers', error),
  });
  private lifeId: string | undefined;

  constructor(
    private readonly queue: DeliveryQueue,
    private readonly owed: OwedDeliveries,
    private readonly inFlight: InFlightDeliveries,
    private readonly telemetry: WorkerTelemetry,
  ) {}

  /** Until the queue was first looked at, nothing should be put into it: it might be taken for forgotten. */
  get isChecked(): boolean {
    return this.lifeId !== undefined;
  }

  start(): void {
    this.loop.start();
  }

  stop(): Promise<void> {
    return this.loop.stop();
  }

  private async check(): Promise<number> {
    const life = await this.queue.generation();
    if (life.id === this.lifeId) return QUEUE_LOSS_CHECK_MS;
    if (life.isNew) this.telemetry.queueLost(await this.owed.giveBackAll());
    else await delay(RECLAIM_DELAY_MS);
    await this.owed.reclaim(this.inFlight.olderThan(0));
    this.lifeId = life.id;
    return QUEUE_LOSS_CHECK_MS;
  }
}
