import { Clock, Database, accountStatement } from '#libs/database';
import {
  type Finding,
  type Installation,
  examineInstallation,
  inspectQueue,
  checkLateness,
  toFinding,
  errorReason,
  red,
} from '#libs/doctor';
import { SETTINGS_TOKEN, type Settings } from '#libs/settings';
import { BacklogService } from '#libs/webhooks';
import { Inject, Injectable } from '@nestjs/common';

/** Nobody needs an exact number beyond this. */
export const MAX_COUNTED = 10_000;
const MAX_WEBHOOKS = 1_000;
const HOUR_MS = 3_600_000;

/** Deliveries to the webhooks of one account, made and owed. */
export interface AccountTraffic {
  readonly delivered: number;
  readonly exhausted: number;
  readonly pending: number;
  readonly owed: number;
  readonly oldestOwedAt: Date | null;
}

/** Reads two index ranges for each webhook, and no more rows than are counted. */
const READ = accountStatement(
  'console_own_traffic',
  `with w as materialized (select id from webhooks where account_id = $1 order by id limit ${MAX_WEBHOOKS}), lately as (
     select d.state from w cross join lateral (
       select state from deliveries where account_id = $1 and webhook_id = w.id and id >= uuid_at($2) limit ${MAX_COUNTED}
     ) d limit ${MAX_COUNTED}
   ), owed as (
     select o.delivery_id from w cross join lateral (
       select delivery_id from owed_deliveries where account_id = $1 and webhook_id = w.id limit ${MAX_COUNTED}
     ) o limit ${MAX_COUNTED}
   )
   select count(*) filter (where state = 'delivered')::int as delivered,
     count(*) filter (where state = 'exhausted')::int as exhausted,
     count(*) filter (where state = 'pending')::int as pending,
     (select count(*)::int from owed) as owed,
     (select d.created_at from deliveries d where d.account_id = $1
        and d.id = (select delivery_id from owed order by delivery_id limit 1)) as "oldestOwedAt"
   from lately`,
);

/** The checks of the operator's `doctor`, without those that tell how much other accounts have. */
@Injectable()
export class SystemReader implements Installation {
  constructor(
    readonly database: Database,
    readonly backlog: BacklogService,
    readonly clock: Clock,
    @Inject(SETTINGS_TOKEN) readonly settings: Settings,
  ) {}

  async findings(): Promise<Finding[]> {
    const queue = await inspectQueue(this.settings);
    try {
      return await examineInstallation(this, queue, checkLateness);
    } catch (error) {
      return [toFinding('database', red(`cannot be asked: ${errorReason(error)}`))];
    }
  }

  /** For the last hour, in one round trip. */
  async traffic(accountId: string): Promise<AccountTraffic> {
    const since = new Date(this.clock.now().getTime() - HOUR_MS);
    return (await this.database.account(accountId).row<AccountTraffic>(READ, [since]))!;
  }
}
