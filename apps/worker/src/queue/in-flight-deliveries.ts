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
export class InFlightDeliveries {
  private readonly entries = new Map<string, InFlightEntry>();

  /** Does nothing where this process already works on the delivery. */
  async runOnce({ deliveryId, attempts }: AttemptRef, work: () => Promise<void>): Promise<void> {
    if (this.entries.has(deliveryId)) return;
    this.entries.set(deliveryId, { attempts, since: performance.now(), isHeld: false });
    try {
      await work();
    } finally {
      this.entries.delete(deliveryId);
    }
  }

  /** Its lease is ours to renew from here on. Renewed any earlier, it would not be the one that its job names. */
  hold(deliveryId: string): void {
    const entry = this.entries.get(deliveryId);
    if (entry) entry.isHeld = true;
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
