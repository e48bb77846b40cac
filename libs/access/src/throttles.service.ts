import { Clock, Database } from '#libs/database';
import { Injectable } from '@nestjs/common';
import { digest } from './secrets.js';
import { countTry, releaseTries } from './sign-in.statements.js';

export interface ThrottleLimit {
  readonly name: string;
  readonly key: string;
  readonly max: number;
  readonly seconds: number;
}

/** In PostgreSQL, because the limits must also hold without Redis. */
@Injectable()
export class ThrottlesService {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  /** Returns the seconds to wait. Stops at the first exceeded limit, so the client’s own should come first. */
  async consume(limits: readonly ThrottleLimit[]): Promise<number> {
    for (const limit of limits) {
      const { max, seconds } = limit;
      const now = this.clock.now();
      const row = await countTry(this.database.system(), { key: keyOf(limit), max, seconds }, now);
      if (!row || row.counted) continue;
      const endsAt = row.endsAt?.getTime() ?? now.getTime() + seconds * 1000;
      return Math.max(1, Math.ceil((endsAt - now.getTime()) / 1000));
    }
    return 0;
  }

  async release(limits: readonly ThrottleLimit[]): Promise<void> {
    const keys = limits.map((limit) => keyOf(limit));
    await releaseTries(this.database.system(), keys);
  }
}

const keyOf = ({ name, key }: ThrottleLimit): Buffer => digest(`${name}\n${key}`);
