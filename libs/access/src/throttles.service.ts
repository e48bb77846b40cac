import { Clock, Database, systemStatement } from '#libs/database';
import { Injectable } from '@nestjs/common';
import { digest } from './secrets.js';

const REASON = 'Whoever tries has not yet said, or shown, which account is meant';

/** Counted in one atomic statement, so parallel tries through several processes share one count. */
const COUNT = systemStatement(
  'throttle_count',
  REASON,
  `insert into throttles as t (key, count, ends_at) values ($1, 1, $2::timestamptz + $3 * interval '1 s')
   on conflict (key) do update set
     count = case when t.ends_at <= $2 then 1 else t.count + 1 end,
     ends_at = case when t.ends_at <= $2 then excluded.ends_at else t.ends_at end
   returning count, ends_at as "endsAt"`,
);

const FORGET = systemStatement('throttle_forget', REASON, 'delete from throttles where key = $1');

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

  /** Counts one try against each limit; answers the seconds to wait where one is exceeded, otherwise zero. */
  async consume(limits: readonly ThrottleLimit[]): Promise<number> {
    const waits = await Promise.all(limits.map((limit) => this.count(limit)));
    return Math.max(...waits);
  }

  async reset({ name, key }: Pick<ThrottleLimit, 'name' | 'key'>): Promise<void> {
    await this.database.system().rows(FORGET, [keyOf(name, key)]);
  }

  private async count({ name, key, max, seconds }: ThrottleLimit): Promise<number> {
    const now = this.clock.now();
    const values = [keyOf(name, key), now, seconds];
    const counted = await this.database.system().row<{ count: number; endsAt: Date }>(COUNT, values);
    if (!counted || counted.count <= max) return 0;
    return Math.max(1, Math.ceil((counted.endsAt.getTime() - now.getTime()) / 1000));
  }
}

const keyOf = (of: string, by: string): Buffer => digest(`${of}\n${by}`);
