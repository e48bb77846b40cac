import { DUE_AFTER_LOSS_MS, DeliveryQueue } from '#libs/webhooks';
import { Injectable } from '@nestjs/common';
import { Loop } from '../../loop.js';
import { WorkerMetrics } from '../../telemetry/worker-metrics.js';
import { LeasesService, RENEW_MS } from './leases.service.js';

/**
 * After the queue was wiped, restarted or replaced, the first worker to notice gives all queued deliveries back, and each
 * worker then reclaims its running ones. Round trips: Redis 1 per check.
 */
@Injectable()
export class QueueLossWatch {
  readonly loop = new Loop({
    round: () => this.check(),
    onError: (error) => this.telemetry.interrupted('the queue could not be checked', error),
  });
  private lifeId: string | undefined;
  private reclaimsNext = false;

  constructor(
    private readonly queue: DeliveryQueue,
    private readonly leases: LeasesService,
    private readonly telemetry: WorkerMetrics,
  ) {}

  /** Deliveries queued before the first check would count as lost. */
  get isChecked(): boolean {
    return this.lifeId !== undefined;
  }

  private async check(): Promise<number> {
    const life = await this.queue.generation();
    this.telemetry.queueAnswers();
    if (life.isNew) this.telemetry.queueLost(await this.leases.giveBackAll(DUE_AFTER_LOSS_MS));
    if (life.isNew || this.reclaimsNext) await this.leases.reclaim();
    // Another worker is still giving all back.
    this.reclaimsNext = !life.isNew && this.lifeId !== undefined && this.lifeId !== life.id;
    this.lifeId = life.id;
    return RENEW_MS;
  }
}
