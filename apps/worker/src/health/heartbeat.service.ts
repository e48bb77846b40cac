import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { Clock, Database, DatabaseClock } from '#libs/database';
import { VERSION } from '#libs/telemetry';
import { HEARTBEAT_EVERY_MS, LEASE_MS, WORKER_GONE_AFTER_MS } from '#libs/delivery';
import { Inject, Injectable } from '@nestjs/common';
import { DeliveryProcessor } from '../deliveries/attempt/delivery.processor.js';
import { LiveWorkersService } from '../live-workers.service.js';
import { Loop } from '../loop.js';
import { WorkerMetrics } from '../telemetry/worker-metrics.js';
import { beat, leave } from './health.statements.js';

/** No work starts before the first heartbeat. */
const HEARTBEAT_AGAIN_MS = 1_000;

@Injectable()
export class HeartbeatService {
  private readonly id = randomUUID();
  private readonly loop = new Loop({
    round: () => this.beat(),
    onError: (error) => this.telemetry.interrupted('the heartbeat could not be written', error),
    errorPauseMs: HEARTBEAT_AGAIN_MS,
  });

  constructor(
    private readonly database: Database,
    @Inject(Clock) private readonly clock: DatabaseClock,
    private readonly telemetry: WorkerMetrics,
    private readonly workers: LiveWorkersService,
    private readonly processor: DeliveryProcessor,
  ) {}

  start(): void {
    this.loop.start();
  }

  async stop(): Promise<void> {
    await this.loop.stop();
    await leave(this.database.system(), this.id).catch((error: unknown) =>
      this.telemetry.interrupted('the heartbeat could not be ended', error),
    );
  }

  private judgeClock(skewMs: number): void {
    this.workers.mayWork = Math.abs(skewMs) <= LEASE_MS;
    this.telemetry.clockRead(skewMs, this.workers.mayWork);
    this.processor.heartbeat();
  }

  private async beat(): Promise<number> {
    const skewMs = this.clock.skewMs;
    const skew = skewMs === undefined ? null : Math.round(skewMs);
    const heartbeat = [this.id, hostname(), process.pid, VERSION, skew, WORKER_GONE_AFTER_MS] as const;
    const askedAt = performance.now();
    const { databaseNow, others, before } = await beat(this.database.system(), ...heartbeat);
    this.telemetry.databaseAnswers();
    this.clock.follow({ databaseNow, askedAt, answeredAt: performance.now() });
    this.workers.update({ count: others + 1, place: before });
    this.judgeClock(this.clock.skewMs ?? 0);
    // The first was written before the skew was known.
    return skewMs === undefined ? 0 : HEARTBEAT_EVERY_MS;
  }
}
