import { Clock, Database, accountStatement } from '#libs/database';
import type { Webhook } from '#libs/entities';
import { Injectable } from '@nestjs/common';

const DAY_MS = 86_400_000;
/** Deliveries of a busy webhook are counted only up to here. What matters is whether any failed. */
const MAX_COUNTED = 1000;

const STATS = accountStatement(
  'console_webhook_stats',
  `select w.id, count(*) filter (where d.state = 'delivered')::int as delivered,
     count(*) filter (where d.state = 'exhausted' or (d.state = 'pending' and d.attempts > 0))::int as failed,
     max(d.created_at) as "lastAt"
   from unnest($2::uuid[]) w (id) left join lateral (
     select state, attempts, created_at from deliveries
     where account_id = $1 and webhook_id = w.id and id >= uuid_at($3) order by id desc limit ${MAX_COUNTED}
   ) d on true
   group by w.id`,
);

interface Stats {
  readonly delivered: number;
  readonly failed: number;
  readonly lastAt: Date | null;
}

export interface WebhookRow extends Stats {
  readonly webhook: Webhook;
}

@Injectable()
export class WebhookStatsReader {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  /** Counts the deliveries of the last 24 hours, in one round trip. */
  async read(accountId: string, webhooks: readonly Webhook[]): Promise<WebhookRow[]> {
    const since = new Date(this.clock.now().getTime() - DAY_MS);
    const ids = webhooks.map(({ id }) => id);
    const rows = await this.database.account(accountId).rows<Stats & { id: string }>(STATS, [ids, since]);
    const found = new Map(rows.map(({ id, ...stats }) => [id, stats]));
    return webhooks.map((webhook) => ({ webhook, ...(found.get(webhook.id) ?? NONE) }));
  }
}

const NONE: Stats = { delivered: 0, failed: 0, lastAt: null };
