import { Injectable } from '@nestjs/common';
import { WorkerMetrics } from '../../telemetry/worker-metrics.js';
import { LEASE_MS } from '#libs/webhooks';

/** Receivers refuse signatures whose time is minutes off. */
const MAX_SKEW_MS = LEASE_MS;

/** Permits no work while the clock is unknown or far from PostgreSQL’s: it would sign wrong times. */
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
    this.telemetry.clockRead(skewMs);
    const given = Math.abs(skewMs) <= MAX_SKEW_MS;
    if (!given) this.telemetry.clockIsOff(skewMs);
    if (given === this.given) return;
    this.given = given;
    for (const listener of this.listeners) listener();
  }
}
