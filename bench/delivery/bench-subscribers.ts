import { RELAY_CHANNEL, uuidAt } from '#libs/database';
import type { Settings } from '#libs/settings';
import { SecretBox } from '#libs/secret-box';
import { newWebhookSecret } from '#libs/delivery';
import type { Client } from 'pg';
import { sampleBody } from '../sample.js';

export interface Subscriber {
  readonly accountId: string;
  readonly webhookId: string;
}

/** Accounts with webhooks, and their events, written to the outbox as a transaction of the API does. */
export class BenchSubscribers {
  constructor(
    private readonly sql: Client,
    private readonly settings: Settings,
  ) {}

  async createAccount(): Promise<string> {
    const id = uuidAt(new Date());
    await this.sql.query('insert into accounts (id, name, created_at) values ($1, $2, now())', [id, 'Bench']);
    return id;
  }

  async subscribe(accountId: string, url: string, kind = 'ticket_started'): Promise<Subscriber> {
    const webhookId = uuidAt(new Date());
    const { sealed, keyId } = new SecretBox(this.settings.SECRETS_KEY).seal(newWebhookSecret(), webhookId);
    await this.sql.query(
      `insert into webhooks (id, account_id, event, url, state, created_at, updated_at)
       values ($1, $2, $3, $4, 'active', now(), now())`,
      [webhookId, accountId, kind, url],
    );
    await this.sql.query(
      `insert into webhook_secrets (id, account_id, webhook_id, sealed, key_id, created_at)
       values ($1, $2, $3, $4, $5, now())`,
      [uuidAt(new Date()), accountId, webhookId, sealed, keyId],
    );
    return { accountId, webhookId };
  }

  /** Commits events together, each for the next webhook in turn. Returns the commit time. */
  emit(accountId: string, webhookIds: readonly string[], count = 1): Promise<number> {
    return this.commit(accountId, { webhookIds, count, toAll: false });
  }

  /** Events that match every webhook. */
  emitToAll(accountId: string, webhookIds: readonly string[], count = 1): Promise<number> {
    return this.commit(accountId, { webhookIds, count, toAll: true });
  }

  private async commit(
    accountId: string,
    { webhookIds, count, toAll }: { webhookIds: readonly string[]; count: number; toAll: boolean },
  ): Promise<number> {
    const ids = Array.from({ length: count }, () => uuidAt(new Date()));
    await this.sql.query({
      name: 'bench_commit',
      text: `with event as (
          insert into events (id, account_id, sequence, kind, payload, transaction_id, created_at)
          select id, $2, event_sequence($2, place), 'ticket_started', $3, pg_current_xact_id()::text::bigint, now()
          from unnest($1::uuid[]) with ordinality as e(id, place))
        insert into outbox (account_id, event_id, webhook_ids)
        select $2, id, case when $5 then $4::uuid[] else array[($4::uuid[])[1 + n % cardinality($4::uuid[])]] end
        from unnest($1::uuid[]) with ordinality as e(id, n)`,
      values: [ids, accountId, sampleBody, webhookIds, toAll],
    });
    const committedAt = performance.now();
    await this.sql.query(`select pg_notify('${RELAY_CHANNEL}', '')`);
    return committedAt;
  }
}
