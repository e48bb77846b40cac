import { Injectable } from '@nestjs/common';
import { Loop } from '../../loop.js';
import { WorkerMetrics } from '../../telemetry/worker-metrics.js';
import { InFlightDeliveriesService } from './in-flight-deliveries.service.js';
import { OwedDeliveriesService } from './owed-deliveries.service.js';
import { LEASE_RENEW_AFTER_MS, LEASE_RENEW_EVERY_MS } from '../limits/limits.js';

/**
 * Renews the leases of deliveries that this process has worked on for long, mostly because a receiver is slow. Their jobs
 * may have ended. No other worker gets them while the leases are renewed, and one does within seconds when the process
 * dies. Round trips: PostgreSQL 1 for each round, or none when no delivery takes long.
 */
@Injectable()
export class LeaseRenewer {
  readonly loop = new Loop({
    round: () => this.round(),
    onError: (error) => this.telemetry.interrupted('leases could not be renewed', error),
  });

  constructor(
    private readonly inFlight: InFlightDeliveriesService,
    private readonly owed: OwedDeliveriesService,
    private readonly telemetry: WorkerMetrics,
  ) {}

  private async round(): Promise<number> {
    await this.owed.renew(this.inFlight.heldFor(LEASE_RENEW_AFTER_MS));
    return LEASE_RENEW_EVERY_MS;
  }
}
