import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { Clock, Database, systemStatement } from '#libs/database';
import { VERSION } from '#libs/telemetry';
import { Injectable } from '@nestjs/common';
import { LiveWorkers } from '../fairness/live-workers.js';
import { Loop } from '../loop.js';
import { WorkerTelemetry } from '../telemetry/worker-telemetry.js';

const HEARTBEAT_EVERY_MS = 10_000;

const REASON = 'Workers serve all accounts';

const BEAT = systemStatement(
  'worker_beat',
  REASON,
  `with beat as (
     insert into worker_heartbeats (id, host, pid, version, started_at, seen_at) values ($1, $2, $3, $4, $5, $5)
     on conflict (id) do update set seen_at = excluded.seen_at
   )
   select count(*)::int as others from worker_heartbeats
   where id <> $1 and seen_at > $5::timestamptz - interval '45 seconds'`,
);

const LEAVE = systemStatement('worker_leave', REASON, 'delete from worker_heartbeats where id = $1');

/** Tells operators and the other workers that this one is alive, and learns how many they are. */
@Injectable()
export class Heartbeat {
  private readonly id = randomUUID();
  private readonly loop = new Loop({
    round: () => this.beat(),
    onError: (error) => this.telemetry.interrupted('the heartbeat could not be written', error),
    errorPauseMs: HEARTBEAT_EVERY_MS,
  });

  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly telemetry: WorkerTelemetry,
    private readonly workers: LiveWorkers,
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
    const values = [this.id, hostname(), process.pid, VERSION, this.clock.now()];
    const { others } = (await this.database.system().row<{ others: number }>(BEAT, values))!;
    this.workers.saw(others + 1);
    return HEARTBEAT_EVERY_MS;
  }
}
