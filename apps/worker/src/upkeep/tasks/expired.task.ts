import { ExpiredRecordsService } from '#libs/access';
import { Clock, Database, systemStatement } from '#libs/database';
import { deleteReplacedSecrets } from '#libs/webhooks';
import { Injectable } from '@nestjs/common';
import { MINUTE_MS } from '../../durations.js';
import { type TaskReport, type Task, inBatches } from '../task.js';

const BATCH = 2_000;

const REASON = 'Upkeep takes what has ended from all accounts alike';

/** Deletes keys an hour after they expire, so that a wrong clock deletes none that still counts. */
const DELETE_IDEMPOTENCY_KEYS = systemStatement(
  'upkeep_idempotency_keys',
  REASON,
  `with gone as (
     delete from idempotency_keys where ctid = any(array(
       select ctid from idempotency_keys where created_at < $1::timestamptz - interval '25 hours'
       limit $2 for update skip locked))
     returning 1
   ) select count(*)::int as count from gone`,
);

const DELETE_HEARTBEATS = systemStatement(
  'upkeep_heartbeats',
  REASON,
  `with gone as (
     delete from worker_heartbeats where seen_at < $1::timestamptz - interval '1 day' returning 1
   ) select count(*)::int as count from gone`,
);

/** Deletes expired credentials, idempotency keys, secrets and heartbeats. */
@Injectable()
export class ExpiredTask implements Task {
  readonly name = 'expired';
  readonly everyMs = 10 * MINUTE_MS;

  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly expiry: ExpiredRecordsService,
  ) {}

  async run(): Promise<TaskReport> {
    const idempotencyKeys = await inBatches(() => this.count(DELETE_IDEMPOTENCY_KEYS, BATCH));
    const webhookSecrets = await deleteReplacedSecrets(this.database.system(), this.clock.now());
    await this.count(DELETE_HEARTBEATS);
    return { ...(await this.purgeAccess()), idempotency_keys: idempotencyKeys, webhook_secrets: webhookSecrets };
  }

  private async purgeAccess(): Promise<TaskReport> {
    const all: Record<string, number> = {};
    await inBatches(async () => {
      const expired = await this.expiry.purge();
      for (const [kind, count] of Object.entries(expired)) all[kind] = (all[kind] ?? 0) + count;
      return Object.values(expired).reduce((sum, count) => sum + count, 0);
    });
    return all;
  }

  private async count(statement: typeof DELETE_IDEMPOTENCY_KEYS, ...values: unknown[]): Promise<number> {
    const row = await this.database.system().row<{ count: number }>(statement, [this.clock.now(), ...values]);
    return row?.count ?? 0;
  }
}
