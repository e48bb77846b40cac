import { Clock, Database, systemStatement } from '#libs/database';
import { Injectable } from '@nestjs/common';
import { digest } from './secrets.js';

const REASON = 'Whoever tries has not yet said, or shown, which account is meant';

/**
 * Counted in one atomic statement, so parallel tries through several processes share one count. A try that is refused
 * writes no row, so it cannot fill the table.
 */
const COUNT = systemStatement(
  'throttle_count',
  REASON,
  `with counted as (
     insert into throttles as t (key, count, ends_at) values ($1, 1, $2::timestamptz + $3 * interval '1 s')
     on conflict (key) do update set
       count = case when t.ends_at <= $2 then 1 else t.count + 1 end,
       ends_at = case when t.ends_at <= $2 then excluded.ends_at else t.ends_at end
       where t.ends_at <= $2 or t.count < $4
     returning 1
   )
   select exists (select from counted) as counted, (select ends_at from throttles where key = $1) as "endsAt"`,
);

/** Locks in one order, so that two sign-ins that end at once never wait for each other. */
const RELEASE = systemStatement(
  'throttle_release',
  REASON,
  `with held as (select key, count from throttles where key = any ($1::bytea[]) order by key for update),
   ended as (delete from throttles t using held where t.key = held.key and held.count <= 1)
   update throttles t set count = t.count - 1 from held where t.key = held.key and held.count > 1`,
);

/** What is limited, by whom or what, and how often within how many seconds. */
export interface ThrottleLimit {
  readonly name: string;
  readonly key: string;
  readonly max: number;
  readonly seconds: number;
}

/** Limits on what strangers may try. In PostgreSQL, because they must hold where there is no Redis. */
@Injectable()
export class ThrottlesService {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  /**
   * Counts one try against each limit; answers the seconds to wait where one is exceeded, otherwise zero. Limits that
   * come after the exceeded one are not counted, so the first should be that of whoever tries. A round trip for each.
   */
  async consume(limits: readonly ThrottleLimit[]): Promise<number> {
    for (const limit of limits) {
      const wait = await this.count(limit);
      if (wait > 0) return wait;
    }
    return 0;
  }

  /** Takes back one try that was counted. */
  async release(limits: readonly ThrottleLimit[]): Promise<void> {
    await this.database.system().rows(RELEASE, [limits.map((limit) => keyOf(limit))]);
  }

  private async count(limit: ThrottleLimit): Promise<number> {
    const { max, seconds } = limit;
    const now = this.clock.now();
    const row = await this.database
      .system()
      .row<{ counted: boolean; endsAt: Date | null }>(COUNT, [keyOf(limit), now, seconds, max]);
    if (!row || row.counted) return 0;
    const endsAt = row.endsAt?.getTime() ?? now.getTime() + seconds * 1000;
    return Math.max(1, Math.ceil((endsAt - now.getTime()) / 1000));
  }
}

const keyOf = ({ name, key }: ThrottleLimit): Buffer => digest(`${name}\n${key}`);
