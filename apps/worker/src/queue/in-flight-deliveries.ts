import { Injectable } from '@nestjs/common';
import type { Held } from './owed-deliveries.js';

interface Hold {
  readonly attempts: number;
  readonly since: number;
}

/** The deliveries this process is working on: none of them is begun a second time here. */
@Injectable()
export class InHand {
  private readonly holds = new Map<string, Hold>();

  take({ deliveryId, attempts }: Held): boolean {
    if (this.holds.has(deliveryId)) return false;
    this.holds.set(deliveryId, { attempts, since: performance.now() });
    return true;
  }

  putDown({ deliveryId }: Held): void {
    this.holds.delete(deliveryId);
  }

  get count(): number {
    return this.holds.size;
  }

  /** Those that were taken so long ago; the map keeps them in the order they came. */
  forLongerThan(ms: number): Held[] {
    const before = performance.now() - ms;
    const old: Held[] = [];
    for (const [deliveryId, { attempts, since }] of this.holds) {
      if (since > before) break;
      old.push({ deliveryId, attempts });
    }
    return old;
  }
}
