import { Clock, Database, later } from '#libs/database';
import type { WebhookStatistics } from '#libs/payloads';
import { Injectable } from '@nestjs/common';
import {
  type AccountTraffic,
  type StoredHour,
  type Traffic,
  type TrafficCount,
  type TrafficHour,
  type WebhookTraffic,
  countCancelled,
  readTrafficOfAccount,
  readTrafficOfWebhooks,
} from './traffic.statements.js';

const HOUR_MS = 3_600_000;

/** One retry takes less, and raises no alarm. */
export const FAILING_AFTER_MS = 10 * 60_000;

@Injectable()
export class TrafficService {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  async ofWebhooks(accountId: string, ids: readonly string[], hours: number): Promise<Map<string, WebhookTraffic>> {
    const now = this.clock.now();
    const rows = await readTrafficOfWebhooks(this.database.account(accountId), ids, later(now, -hours * HOUR_MS));
    return new Map(rows.map((row) => [row.id, { ...row, ...trafficOf(row.hours, now, hours) }]));
  }

  /** Counts whole hours on the clock, and the current one. Undefined if the webhook is gone. */
  async statistics(accountId: string, id: string, count: number): Promise<WebhookStatistics | undefined> {
    const traffic = (await this.ofWebhooks(accountId, [id], count)).get(id);
    if (!traffic) return undefined;
    const { total, hours } = traffic;
    const from = hours[0]!.hour;
    const cancelled = await countCancelled(this.database.account(accountId), id, from);
    const attempts = attemptsOf(total);
    const successRate = attempts === 0 ? null : total.delivered / attempts;
    const to = later(from, count * HOUR_MS);
    return { ...traffic, from, to, cancelled, successRate, averageMs: averageMs(total) };
  }

  async ofAccount(accountId: string, hours: number): Promise<AccountTraffic> {
    const now = this.clock.now();
    const since = later(now, -hours * HOUR_MS);
    const failingBefore = later(now, -FAILING_AFTER_MS);
    const row = await readTrafficOfAccount(this.database.account(accountId), since, failingBefore);
    const noted = new Map(row.backlog.map((hour) => [new Date(hour.hour).getTime(), hour]));
    const traffic = trafficOf(row.hours, now, hours);
    const backlog = traffic.hours.map(({ hour }) => ({
      owed: 0,
      oldestSeconds: 0,
      ...noted.get(hour.getTime()),
      hour,
    }));
    return { ...row, ...traffic, backlog };
  }
}

function trafficOf(stored: readonly StoredHour[], now: Date, count: number): Pick<Traffic, 'hours' | 'total'> {
  const hours = filledHours(stored, now, count);
  return { hours, total: totalOf(hours) };
}

const NOTHING: TrafficCount = { delivered: 0, retried: 0, givenUp: 0, durationMs: 0, longestMs: 0 };

/** Hours without attempts have no row. */
export function filledHours(stored: readonly StoredHour[], now: Date, count: number): TrafficHour[] {
  const found = new Map(stored.map((hour) => [Date.parse(hour.hour), hour]));
  const current = Math.floor(now.getTime() / HOUR_MS) * HOUR_MS;
  return Array.from({ length: count }, (_, place) => {
    const at = current - (count - 1 - place) * HOUR_MS;
    return { ...NOTHING, ...found.get(at), hour: new Date(at) };
  });
}

export function totalOf(counts: readonly TrafficCount[]): TrafficCount {
  return counts.reduce(
    (sum, one) => ({
      delivered: sum.delivered + one.delivered,
      retried: sum.retried + one.retried,
      givenUp: sum.givenUp + one.givenUp,
      durationMs: sum.durationMs + one.durationMs,
      longestMs: Math.max(sum.longestMs, one.longestMs),
    }),
    NOTHING,
  );
}

export function inSpansOf(length: number, hours: readonly TrafficHour[]): TrafficHour[] {
  return hours.flatMap(({ hour }, place) =>
    place % length === 0 ? [{ ...totalOf(hours.slice(place, place + length)), hour }] : [],
  );
}

const attemptsOf = ({ delivered, retried, givenUp }: TrafficCount): number => delivered + retried + givenUp;

/** Null without attempts. Never rounded up to 100. */
export function acceptedPercent(count: TrafficCount): number | null {
  const attempts = attemptsOf(count);
  if (attempts === 0) return null;
  const percent = (100 * count.delivered) / attempts;
  return percent > 99 && percent < 100 ? 99 : Math.round(percent);
}

export function averageMs(count: TrafficCount): number | null {
  const attempts = attemptsOf(count);
  return attempts === 0 ? null : count.durationMs / attempts;
}
