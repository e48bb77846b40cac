import type { AttemptRef } from '#libs/webhooks';
import { Injectable } from '@nestjs/common';
import { Loop } from '../../loop.js';
import { WorkerMetrics } from '../../telemetry/worker-metrics.js';
import { OwedDeliveriesService } from './owed-deliveries.service.js';

/** Shorter, most deliveries cost a renewal. Longer, a lease may end before it is renewed. */
const RENEW_MS = 1_000;

interface InFlightEntry {
  readonly attempts: number;
  readonly since: number;
}

/** Renews the leases of deliveries in flight. Round trips: PostgreSQL 1 per round, or none. */
@Injectable()
export class InFlightDeliveriesService {
  readonly loop = new Loop({
    round: () => this.renewLeases(),
    onError: (error) => this.telemetry.interrupted('leases could not be renewed', error),
  });
  private readonly entries = new Map<string, InFlightEntry>();

  constructor(
    private readonly owed: OwedDeliveriesService,
    private readonly telemetry: WorkerMetrics,
  ) {}

  async runOnce({ deliveryId, attempts }: AttemptRef, work: () => Promise<void>): Promise<void> {
    if (this.entries.has(deliveryId)) return;
    this.entries.set(deliveryId, { attempts, since: performance.now() });
    try {
      await work();
    } finally {
      this.entries.delete(deliveryId);
    }
  }

  get count(): number {
    return this.entries.size;
  }

  /** In order of start. */
  heldFor(ms: number): AttemptRef[] {
    const before = performance.now() - ms;
    const held: AttemptRef[] = [];
    for (const [deliveryId, { attempts, since }] of this.entries) {
      if (since > before) break;
      held.push({ deliveryId, attempts });
    }
    return held;
  }

  private async renewLeases(): Promise<number> {
    await this.owed.renew(this.heldFor(RENEW_MS));
    return RENEW_MS;
  }
}
