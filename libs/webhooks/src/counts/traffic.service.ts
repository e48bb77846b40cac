import { Clock, Database, later } from '#libs/database';
import { Injectable } from '@nestjs/common';
import { HOUR_MS, type Traffic, filledHours, totalOf } from './traffic-hours.js';
import {
  type AccountTraffic,
  type TrafficRow,
  type WebhookTraffic,
  readTrafficOfAccount,
  readTrafficOfWebhooks,
} from './traffic.statements.js';

/** One retry takes less, and raises no alarm. */
const FAILING_AFTER_MS = 10 * 60_000;

/** Each method is one round trip. */
@Injectable()
export class TrafficService {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  async ofWebhooks(accountId: string, ids: readonly string[], hours: number): Promise<Map<string, WebhookTraffic>> {
    const now = this.clock.now();
    const rows = await readTrafficOfWebhooks(this.database.account(accountId), ids, later(now, -hours * HOUR_MS));
    return new Map(rows.map((row) => [row.id, { ...row, ...trafficOf(row, now, hours) }]));
  }

  async ofAccount(accountId: string, hours: number): Promise<AccountTraffic> {
    const now = this.clock.now();
    const [since, failingBefore] = [later(now, -hours * HOUR_MS), later(now, -FAILING_AFTER_MS)];
    const row = await readTrafficOfAccount(this.database.account(accountId), since, failingBefore);
    const noted = new Map(row.backlog.map((hour) => [new Date(hour.hour).getTime(), hour]));
    const traffic = trafficOf(row, now, hours);
    const backlog = traffic.hours.map(({ hour }) => {
      const { owed = 0, oldestSeconds = 0 } = noted.get(hour.getTime()) ?? {};
      return { hour, owed, oldestSeconds };
    });
    return { ...row, ...traffic, backlog };
  }
}

function trafficOf(row: TrafficRow<Traffic>, now: Date, count: number): Traffic {
  const stored = row.hours.map((hour) => ({ ...hour, hour: new Date(hour.hour) }));
  const hours = filledHours(stored, now, count);
  const retrying = { count: row.retrying, hasMore: row.retryingHasMore };
  const waiting = { count: row.waiting, hasMore: row.waitingHasMore };
  return { hours, total: totalOf(hours), retrying, waiting };
}
