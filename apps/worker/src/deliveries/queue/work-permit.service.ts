import { LEASE_MS } from '#libs/webhooks';
import { Injectable } from '@nestjs/common';
import { WorkerMetrics } from '../../telemetry/worker-metrics.js';

/** Permits no work while the clock is unknown or a lease off PostgreSQL’s: receivers refuse signatures of wrong times. */
@Injectable()
export class WorkPermitService {
  private given = false;
  private readonly listeners: (() => void)[] = [];

  constructor(private readonly telemetry: WorkerMetrics) {}

  get isGiven(): boolean {
    return this.given;
  }

  onChange(listener: () => void): void {
    this.listeners.push(listener);
  }

  judge(skewMs: number): void {
    const given = Math.abs(skewMs) <= LEASE_MS;
    this.telemetry.clockRead(skewMs, given);
    if (given === this.given) return;
    this.given = given;
    for (const listener of this.listeners) listener();
  }
}
