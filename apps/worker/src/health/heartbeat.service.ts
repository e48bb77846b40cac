import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { Clock, Database, DatabaseClock, systemStatement } from '#libs/database';
import { VERSION } from '#libs/telemetry';
import { HEARTBEAT_EVERY_MS, WORKER_GONE_AFTER_MS } from '#libs/webhooks';
import { Inject, Injectable } from '@nestjs/common';
import { LiveWorkersService } from '../live-workers.service.js';
import { Loop } from '../loop.js';
import { WorkPermitService } from '../deliveries/queue/work-permit.service.js';
import { WorkerMetrics } from '../telemetry/worker-metrics.js';

/** A worker that has not heard from PostgreSQL does nothing yet. */
const HEARTBEAT_AGAIN_MS = 1_000;

const REASON = 'Workers serve all accounts';

const BEAT = systemStatement(
  'worker_beat',
  REASON,
  `with beat as (
     insert into worker_heartbeats (id, host, pid, version, started_at, seen_at, skew_ms)
     values ($1, $2, $3, $4, clock_timestamp(), clock_timestamp(), $5)
     on conflict (id) do update set seen_at = excluded.seen_at, skew_ms = excluded.skew_ms
   )
   select clock_timestamp() as "databaseNow", count(*)::int as others,
     (count(*) filter (where id < $1))::int as before
   from worker_heartbeats where id <> $1 and seen_at > clock_timestamp() - $6::int * interval '1 millisecond'`,
);

interface Beat {
  readonly databaseNow: Date;
  /** How many other workers there are, and how many of them have a smaller id. */
  readonly others: number;
  readonly before: number;
}

const LEAVE = systemStatement('worker_leave', REASON, 'delete from worker_heartbeats where id = $1');

/** Tells operators and the other workers that this one is alive, and learns how many they are. */
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
  ) {}

  start(): void {
    this.loop.start();
  }

  async stop(): Promise<void> {
    await this.loop.stop();
    await this.database
      .system()
      .rows(LEAVE, [this.id])
      .catch(() => undefined);
  }

  private async beat(): Promise<number> {
    const skewMs = this.clock.skewMs;
    const values = [
      this.id,
      hostname(),
      process.pid,
      VERSION,
      skewMs === undefined ? null : Math.round(skewMs),
      WORKER_GONE_AFTER_MS,
    ];
    const askedAt = performance.now();
    const { databaseNow, others, before } = (await this.database.system().row<Beat>(BEAT, values))!;
    this.telemetry.databaseAnswers();
    this.clock.follow({ databaseNow, askedAt, answeredAt: performance.now() });
    this.permit.judge(this.clock.skewMs ?? 0);
    this.workers.saw({ count: others + 1, place: before });
    // The first one could not tell yet how late it is here.
    return skewMs === undefined ? 0 : HEARTBEAT_EVERY_MS;
  }
}
