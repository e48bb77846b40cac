import { Clock, Database } from '#libs/database';
import {
  type AttemptRef,
  LEASE_MS,
  type LeaseRequest,
  extendLeases,
  giveBack,
  giveBackAll,
  leaseDue,
} from '#libs/webhooks';
import { Injectable } from '@nestjs/common';
import { MicroBatch } from '../../micro-batch.js';

@Injectable()
export class OwedDeliveriesService {
  private readonly releases = new MicroBatch<{ ref: AttemptRef; dueAt: Date }, void>(async (items) => {
    await giveBack(this.database.system(), items);
    return [];
  });

  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  leasedUntil(): Date {
    return this.clock.in(LEASE_MS);
  }

  leaseDue(request: Omit<LeaseRequest, 'now'>) {
    return leaseDue(this.database.system(), { ...request, now: this.clock.now() });
  }

  /** Never rejects: after a failure the leases expire. */
  async giveBack(refs: readonly AttemptRef[]): Promise<void> {
    const dueAt = this.clock.now();
    const leases = refs.map((ref) => ({ ref, dueAt }));
    await giveBack(this.database.system(), leases).catch(() => undefined);
  }

  async giveBackOne(ref: AttemptRef, forMs: number): Promise<void> {
    await this.releases.run({ ref, dueAt: this.clock.in(forMs) }).catch(() => undefined);
  }

  /** Due only after workers have reclaimed theirs. */
  giveBackAll(dueAfterMs: number): Promise<number> {
    return giveBackAll(this.database.system(), this.clock.in(dueAfterMs));
  }

  /** `evenIfReleased` includes deliveries that were taken for lost. */
  renew(refs: readonly AttemptRef[], evenIfReleased = false): Promise<void> {
    return extendLeases(this.database.system(), refs, { leasedUntil: this.leasedUntil(), evenIfReleased });
  }
}
