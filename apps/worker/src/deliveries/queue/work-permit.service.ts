import { Injectable } from '@nestjs/common';
import { WorkerMetrics } from '../../telemetry/worker-metrics.js';
import { MAX_SKEW_MS } from '../limits/limits.js';

/**
 * Whether this worker takes work: not before it knows the time of PostgreSQL, by which leases are, and not while the clock
 * of its machine is far from that. Something is wrong there, and what it would sign or measure might be as well.
 */
@Injectable()
export class WorkPermitService {
  private given = false;
  private readonly listeners: (() => void)[] = [];

  constructor(private readonly telemetry: WorkerMetrics) {}

  get isGiven(): boolean {
    return this.given;
  }

  /** Calls it each time that the permit is given or taken away. */
  onChange(listener: () => void): void {
    this.listeners.push(listener);
  }

  judge(skewMs: number): void {
    this.telemetry.clockRead(skewMs);
    const given = Math.abs(skewMs) <= MAX_SKEW_MS;
    if (!given) this.telemetry.clockIsOff(skewMs);
    if (given === this.given) return;
    this.given = given;
    for (const tell of this.listeners) tell();
  }
}
