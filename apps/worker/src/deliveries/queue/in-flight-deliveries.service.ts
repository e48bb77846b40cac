import type { AttemptRef } from '#libs/webhooks';
import { Injectable } from '@nestjs/common';

interface InFlightEntry {
  readonly attempts: number;
  readonly since: number;
  /** Found to be owed under the lease of its job. */
  isHeld: boolean;
}

/** The deliveries that this process works on. It never starts one of them a second time. */
@Injectable()
export class InFlightDeliveriesService {
  private readonly entries = new Map<string, InFlightEntry>();

  /**
   * Does nothing where this process already works on the delivery. From when `work` calls `hold`, its lease is ours to
   * renew. Renewed any earlier, it would not be the one that its job names.
   */
  async runOnce({ deliveryId, attempts }: AttemptRef, work: (hold: () => void) => Promise<void>): Promise<void> {
    if (this.entries.has(deliveryId)) return;
    const entry: InFlightEntry = { attempts, since: performance.now(), isHeld: false };
    this.entries.set(deliveryId, entry);
    try {
      await work(() => (entry.isHeld = true));
    } finally {
      this.entries.delete(deliveryId);
    }
  }

  get count(): number {
    return this.entries.size;
  }

  /** Deliveries that are held, and were started at least `ms` ago. The map keeps them in order. */
  heldFor(ms: number): AttemptRef[] {
    const before = performance.now() - ms;
    const held: AttemptRef[] = [];
    for (const [deliveryId, { attempts, since, isHeld }] of this.entries) {
      if (since > before) break;
      if (isHeld) held.push({ deliveryId, attempts });
    }
    return held;
  }
}
