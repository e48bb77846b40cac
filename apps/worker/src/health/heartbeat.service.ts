import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { Clock, Database, DatabaseClock } from '#libs/database';
import { VERSION } from '#libs/telemetry';
import { DeliveryQueue, HEARTBEAT_EVERY_MS, WORKER_GONE_AFTER_MS } from '#libs/webhooks';
import { Inject, Injectable } from '@nestjs/common';
import { WorkPermitService } from '../deliveries/queue/work-permit.service.js';
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
    private readonly permit: WorkPermitService,
    private readonly queue: DeliveryQueue,
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

  /** The heartbeat itself must not wait for Redis. */
  private noteQueue(): void {
    if (!this.queue.isReady) return;
    this.queue.noteWorker().then(
      () => this.telemetry.queueAnswers(),
      (error: unknown) => this.telemetry.interrupted('the queue could not be written to', error),
    );
  }

  private async beat(): Promise<number> {
    const skewMs = this.clock.skewMs;
    const skew = skewMs === undefined ? null : Math.round(skewMs);
    const heartbeat = [this.id, hostname(), process.pid, VERSION, skew, WORKER_GONE_AFTER_MS] as const;
    const askedAt = performance.now();
    const { databaseNow, others, before } = await beat(this.database.system(), ...heartbeat);
    this.telemetry.databaseAnswers();
    this.clock.follow({ databaseNow, askedAt, answeredAt: performance.now() });
    this.permit.judge(this.clock.skewMs ?? 0);
    this.workers.update({ count: others + 1, place: before });
    this.noteQueue();
    // The first was written before the skew was known.
    return skewMs === undefined ? 0 : HEARTBEAT_EVERY_MS;
  }
}
