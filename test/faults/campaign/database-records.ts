import { setTimeout as delay } from 'node:timers/promises';
import type { Client } from 'pg';

const POLL_INTERVAL_MS = 100;

export interface RecordsSource {
  sql<T>(work: (client: Client) => Promise<T>): Promise<T>;
}

export interface EventRow {
  readonly id: string;
  readonly accountId: string;
  readonly kind: string;
  readonly payload: string;
  readonly requestId: string | null;
}

export interface EventWebhookPair {
  readonly eventId: string;
  readonly webhookId: string;
}

/** The state of a round's accounts in PostgreSQL after it. */
export interface DatabaseRecords {
  readonly events: readonly EventRow[];
  /** Still waiting for its delivery to be created or made. */
  readonly owed: readonly EventWebhookPair[];
  readonly deliveries: readonly (EventWebhookPair & { readonly state: string; readonly attempts: number })[];
  /** Attempts that ran to their deadline. */
  readonly timeouts: readonly EventWebhookPair[];
}

const EVENTS = `
  select id, account_id as "accountId", kind, payload, request_id as "requestId" from events where account_id = any($1)`;
const OWED = `
  select event_id as "eventId", webhook_id as "webhookId" from owed_deliveries where account_id = any($1)
  union all select event_id, unnest(webhook_ids) from outbox where account_id = any($1)`;
const DELIVERIES = `
  select event_id as "eventId", webhook_id as "webhookId", state, attempts from deliveries where account_id = any($1)`;
const TIMEOUTS = `
  select d.event_id as "eventId", d.webhook_id as "webhookId" from attempts a join deliveries d on d.id = a.delivery_id
  where a.account_id = any($1) and a.error = 'timeout'
  union all select event_id, webhook_id from deliveries
  where account_id = any($1) and only_attempt->>'error' = 'timeout'`;

export function readDatabaseRecords(source: RecordsSource, accountIds: readonly string[]): Promise<DatabaseRecords> {
  return source.sql(async (client) => {
    const rows = async (text: string) => (await client.query(text, [accountIds])).rows as never;
    return {
      events: await rows(EVENTS),
      owed: await rows(OWED),
      deliveries: await rows(DELIVERIES),
      timeouts: await rows(TIMEOUTS),
    };
  });
}

/** Whether nothing is owed in time. A failed query shows nothing and is repeated. */
export async function settles(
  source: RecordsSource,
  accountIds: readonly string[],
  withinMs: number,
): Promise<boolean> {
  const isNothingOwed = (client: Client) =>
    client.query(`${OWED} limit 1`, [accountIds]).then(({ rowCount }) => rowCount === 0);
  const end = performance.now() + withinMs;
  while (performance.now() < end) {
    if (await source.sql(isNothingOwed).catch(() => false)) return true;
    await delay(POLL_INTERVAL_MS);
  }
  return false;
}
