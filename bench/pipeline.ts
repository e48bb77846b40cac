import { setTimeout as wait } from 'node:timers/promises';
import { BELL_CHANNEL, uuidAt } from '#libs/database';
import { SecretBox, newWebhookSecret } from '#libs/webhooks';
import type { Settings } from '#libs/settings';
import type { Client } from 'pg';
import { sampleBody } from './sample.js';

export interface Stats {
  readonly seen: number;
  readonly p50: number;
  readonly p95: number;
  readonly p99: number;
}

/** One account with webhooks at the receiver, and events put straight into the outbox, as a commit leaves them. */
export class PipelineBench {
  private constructor(
    private readonly sql: Client,
    private readonly receiver: string,
    private readonly accountId: string,
    private readonly webhookIds: string[],
  ) {}

  static async prepare(
    sql: Client,
    settings: Settings,
    { receiver, webhooks }: { receiver: string; webhooks: number },
  ): Promise<PipelineBench> {
    const accountId = uuidAt(new Date());
    const box = new SecretBox(settings.SECRETS_KEY);
    await sql.query('insert into accounts (id, name, created_at) values ($1, $2, now())', [accountId, 'Bench']);
    const ids: string[] = [];
    for (let number = 0; number < webhooks; number++) {
      const id = uuidAt(new Date());
      const { sealed, keyId } = box.seal(newWebhookSecret(), id);
      await sql.query(
        `insert into webhooks (id, account_id, event, url, state, created_at, updated_at) values ($1, $2, 'ticket_started', $3, 'active', now(), now())`,
        [id, accountId, receiver],
      );
      await sql.query(
        'insert into webhook_secrets (id, account_id, webhook_id, sealed, key_id, created_at) values ($1, $2, $3, $4, $5, now())',
        [uuidAt(new Date()), accountId, id, sealed, keyId],
      );
      ids.push(id);
    }
    return new PipelineBench(sql, receiver, accountId, ids);
  }

  /** `count` events in one transaction, then how long from its commit until all have arrived. */
  async drain(count: number): Promise<{ perSecond: number; seconds: number }> {
    await fetch(this.receiver, { method: 'DELETE' });
    const started = await this.commit(count);
    await this.arrived(count);
    const seconds = (performance.now() - started) / 1000;
    return { perSecond: count / seconds, seconds };
  }

  /** Open loop: an event each tick whatever the pipeline does, so that waiting shows as latency. */
  async latency({ perSecond, seconds }: { perSecond: number; seconds: number }): Promise<Stats> {
    await fetch(this.receiver, { method: 'DELETE' });
    const started = performance.now();
    const total = perSecond * seconds;
    for (let sent = 0; sent < total;) {
      const due = Math.min(total, Math.floor(((performance.now() - started) / 1000) * perSecond));
      for (; sent < due; sent++) await this.commit(1);
      await wait(1);
    }
    return this.arrived(total);
  }

  /** Answers when it was committed. */
  private async commit(count: number): Promise<number> {
    const ids = Array.from({ length: count }, () => uuidAt(new Date()));
    await this.sql.query({
      name: 'bench_commit',
      text: `with event as (
          insert into events (id, account_id, sequence, kind, payload, transaction_id, created_at)
          select id, $2, event_sequence(place), 'ticket_started', $3, pg_current_xact_id()::text::bigint, now()
          from unnest($1::uuid[]) with ordinality as e(id, place))
        insert into outbox (event_id, account_id, webhook_ids)
        select id, $2, array[($4::uuid[])[1 + (n % cardinality($4::uuid[]))]] from unnest($1::uuid[]) with ordinality u(id, n)`,
      values: [ids, this.accountId, sampleBody, this.webhookIds],
    });
    const committed = performance.now();
    await this.sql.query(`select pg_notify('${BELL_CHANNEL}', '')`);
    return committed;
  }

  private async arrived(count: number): Promise<Stats> {
    for (const end = Date.now() + 300_000; Date.now() < end; await wait(20)) {
      const { seen } = (await (await fetch(`${this.receiver}seen`)).json()) as { seen: number };
      if (seen >= count) return (await (await fetch(this.receiver)).json()) as Stats;
    }
    throw new Error(`Not all of ${count} events arrived within five minutes.`);
  }
}
