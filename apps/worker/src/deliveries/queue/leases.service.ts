import { Clock, Database } from '#libs/database';
import { type AttemptRef, LEASE_MS, type LeaseRequest, extendLeases, giveBack, leaseDue } from '#libs/delivery';
import { Injectable } from '@nestjs/common';
import { Loop } from '../../loop.js';
import { MicroBatch } from '../../micro-batch.js';
import { WorkerMetrics } from '../../telemetry/worker-metrics.js';

/** If shorter, most deliveries cost a renewal. If longer, a lease may end before it is renewed. */
export const RENEW_MS = LEASE_MS / 9;

/** How long loops pause after an outage of PostgreSQL. Workers first renew the leases of running deliveries. */
export const PAUSE_AFTER_OUTAGE_MS = 2 * RENEW_MS;

/** Leases of owed deliveries. Renews those of deliveries in flight: PostgreSQL 1 a second, or none. */
@Injectable()
export class LeasesService {
  readonly loop = new Loop({
    round: () => this.renewOld(),
    onError: (error) => this.telemetry.interrupted('leases could not be renewed', error),
  });
  private readonly inFlight = new Map<string, { readonly attempts: number; readonly since: number }>();
  private readonly releases = new MicroBatch<{ ref: AttemptRef; dueAt: Date }, void>(async (items) => {
    // Never repeated: the feeder may have leased the deliveries meanwhile.
    await giveBack(this.database.system(), items).catch((error: unknown) =>
      this.telemetry.interrupted('deliveries could not be given back, so their leases end', error),
    );
    return [];
  });

  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly telemetry: WorkerMetrics,
  ) {}

  leasedUntil(): Date {
    return this.clock.in(LEASE_MS);
  }

  leaseDue(request: Omit<LeaseRequest, 'now'>) {
    return leaseDue(this.database.system(), { ...request, now: this.clock.now() });
  }

  /** While `work` runs. */
  async keep({ deliveryId, attempts }: AttemptRef, work: () => Promise<void>): Promise<void> {
    this.inFlight.set(deliveryId, { attempts, since: performance.now() });
    try {
      await work();
    } finally {
      this.inFlight.delete(deliveryId);
    }
  }

  /** Never rejects: after a failure the lease expires. */
  giveBack(ref: AttemptRef, forMs: number): Promise<void> {
    return this.releases.run({ ref, dueAt: this.clock.in(forMs) });
  }

  /** In order of start. */
  inFlightFor(ms: number): AttemptRef[] {
    const before = performance.now() - ms;
    const found: AttemptRef[] = [];
    for (const [deliveryId, { attempts, since }] of this.inFlight) {
      if (since > before) break;
      found.push({ deliveryId, attempts });
    }
    return found;
  }

  private async renewOld(): Promise<number> {
    await extendLeases(this.database.system(), this.inFlightFor(RENEW_MS), this.leasedUntil());
    return RENEW_MS;
  }
}
