import { Injectable } from '@nestjs/common';
import { Loop } from '../loop.js';
import { WorkerTelemetry } from '../telemetry/worker-telemetry.js';
import { InFlightDeliveries } from './in-flight-deliveries.js';
import { OwedDeliveries } from './owed-deliveries.js';
import { LEASE_RENEW_AFTER_MS, LEASE_RENEW_EVERY_MS } from '../fairness/limits.js';

/**
 * Says again and again that this process still works on what it has had in hand for long: mostly requests to receivers
 * that take their time. Their jobs may be gone by then; nobody else gets them for as long as this goes on, and somebody
 * does a few seconds after it ends. Nothing in hand for long: no round trip.
 */
@Injectable()
export class LeaseRenewer {
  private readonly loop = new Loop({
    round: () => this.round(),
    onError: (error) => this.telemetry.interrupted('leases could not be renewed', error),
  });

  constructor(
    private readonly inFlight: InFlightDeliveries,
    private readonly owed: OwedDeliveries,
    private readonly telemetry: WorkerTelemetry,
  ) {}

  start(): void {
    this.loop.start();
  }

  stop(): Promise<void> {
    return this.loop.stop();
  }

  private async round(): Promise<number> {
    await this.owed.renew(this.inFlight.olderThan(LEASE_RENEW_AFTER_MS));
    return LEASE_RENEW_EVERY_MS;
  }
}
