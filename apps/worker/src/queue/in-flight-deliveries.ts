import type { AttemptRef } from '#libs/webhooks';
import { Injectable } from '@nestjs/common';

interface InFlightEntry {
  readonly attempts: number;
  readonly since: number;
}

/** The deliveries this process is working on: none of them is begun a second time here. */
@Injectable()
export class InFlightDeliveries {
  private readonly entries = new Map<string, InFlightEntry>();

  tryAdd({ deliveryId, attempts }: AttemptRef): boolean {
    if (this.entries.has(deliveryId)) return false;
    this.entries.set(deliveryId, { attempts, since: performance.now() });
    return true;
  }

  remove({ deliveryId }: AttemptRef): void {
    this.entries.delete(deliveryId);
  }

  get count(): number {
    return this.entries.size;
  }

  /** Those that were taken so long ago; the map keeps them in the order they came. */
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
