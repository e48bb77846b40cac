import type { AttemptRef } from '#libs/webhooks';
import { Injectable } from '@nestjs/common';

interface InFlightEntry {
  readonly attempts: number;
  readonly since: number;
}

/** The deliveries that this process works on. It never starts one of them a second time. */
@Injectable()
export class InFlightDeliveries {
  private readonly entries = new Map<string, InFlightEntry>();

  /** Does nothing where this process already works on the delivery. */
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

  /** Deliveries that were started at least `ms` ago. The map keeps them in order. */
  olderThan(ms: number): AttemptRef[] {
    const before = performance.now() - ms;
    const old: AttemptRef[] = [];
    for (const [deliveryId, { attempts, since }] of this.entries) {
      if (since > before) break;
      old.push({ deliveryId, attempts });
    }
    return old;
  }
}
