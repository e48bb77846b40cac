import type { BroughtDelivery } from '#libs/webhooks';
import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { BROUGHT_FRESH_MS, MAX_BROUGHT_KEPT } from '../limits/limits.js';

interface LeasedId {
  readonly deliveryId: string;
  readonly leasedUntil: Date;
}

/**
 * What the relay’s claim brought along, for the attempt that follows a few milliseconds later. The job travels through the
 * queue as always. If another worker gets it, or this one gets it late, what it needs is read as usual.
 */
@Injectable()
export class ClaimedDeliveryCache {
  private readonly kept = new LRUCache<string, { delivery: BroughtDelivery; at: number }>({ max: MAX_BROUGHT_KEPT });

  keep(brought: readonly BroughtDelivery[], leasedUntil: Date): void {
    const at = performance.now();
    for (const delivery of brought) this.kept.set(keyOf({ ...delivery, leasedUntil }), { delivery, at });
  }

  /** Only once: a job that comes again finds out whether it is still owed. */
  take(leased: LeasedId): BroughtDelivery | undefined {
    const key = keyOf(leased);
    const found = this.kept.get(key);
    this.kept.delete(key);
    return found && performance.now() - found.at <= BROUGHT_FRESH_MS ? found.delivery : undefined;
  }
}

const keyOf = ({ deliveryId, leasedUntil }: LeasedId): string => `${deliveryId}.${leasedUntil.getTime()}`;
