import type { Client } from 'pg';
import { holdStatistics } from './explained.js';

export const ROWS = 20_000;
export const WEBHOOKS = 200;
/** Snoozed tickets, of which ten are due. */
export const SNOOZED = 1_000;
export const WEBHOOKS_OF_AN_EVENT = 20;

export const NOW = new Date('2030-01-10T12:00:00Z');
const START = new Date('2030-01-08T00:00:00Z');
export const later = (ms: number): Date => new Date(NOW.getTime() + ms);

/** Kinds of records. Their ids are computed, so they are known before the rows exist. */
const KINDS = [
  'account',
  'webhook',
  'secret',
  'event',
  'delivery',
  'attempt',
  'agent',
  'grant',
  'row',
  'ticket',
] as const;
export type Kind = (typeof KINDS)[number];

/** The id of the n-th record of a kind. Their times are a second apart. */
export function idOf(kind: Kind, n: number): string {
  const at = (START.getTime() + n * 1000).toString(16).padStart(12, '0');
  return `${at.slice(0, 8)}-${at.slice(8)}-7000-8000-${KINDS.indexOf(kind)}${n.toString(16).padStart(11, '0')}`;
}

export const idsOf = (kind: Kind, from: number, count: number): string[] =>
  Array.from({ length: count }, (_, place) => idOf(kind, from + place));

/** The same in SQL, and the partitions that upkeep makes. */
export async function preparePipeline(sql: Client): Promise<void> {
  await sql.query(`
    create function id_of(kind integer, n bigint) returns uuid language sql immutable as $$
      select (lpad(to_hex(${START.getTime()} + n * 1000), 12, '0') || '70008000' || to_hex(kind) || lpad(to_hex(n), 11, '0'))::uuid $$`);
  for (const table of ['events', 'deliveries', 'attempts'])
    for (const day of ['2029-12-31', '2030-01-07', '2030-01-14'])
      await sql.query(`
        create table ${table}_${day.replaceAll('-', '')} partition of ${table}
        for values from ('${smallest(day)}') to ('${smallest(day, 7)}')`);
  await holdStatistics(sql);
  await dropForeignKeys(sql);
}

/** Foreign keys affect no plan, and checking them is slow. */
async function dropForeignKeys(sql: Client): Promise<void> {
  const { rows } = await sql.query<{ name: string; table: string }>(
    `select conname as name, conrelid::regclass::text as table from pg_constraint where contype = 'f'`,
  );
  for (const { name, table } of rows) await sql.query(`alter table ${table} drop constraint ${name}`);
}

function smallest(day: string, days = 0): string {
  const at = (new Date(`${day}T00:00:00Z`).getTime() + days * 86_400_000).toString(16).padStart(12, '0');
  return `${at.slice(0, 8)}-${at.slice(8)}-0000-0000-000000000000`;
}

const id = (kind: Kind, n: string): string => `id_of(${KINDS.indexOf(kind)}, ${n})`;
const at = (moment: Date): string => `'${moment.toISOString()}'::timestamptz`;

export const ACCOUNT = idOf('account', 1);
export const WEBHOOK = idOf('webhook', 1);
/** Disabled, but its deliveries are not cancelled yet. */
export const DISABLED_WEBHOOK = idOf('webhook', 2);
export const LEASED_UNTIL = later(9_000);

async function insertSubscribers(sql: Client): Promise<void> {
  await sql.query(`
    insert into accounts (id, name, created_at) values ('${ACCOUNT}', 'Acme', now());
    insert into agents (id, account_id, email, first_name, last_name, role, state, created_at, updated_at)
      values ('${idOf('agent', 1)}', '${ACCOUNT}', 'owner@acme.test', 'Maya', 'Lind', 'owner', 'active', now(), now());
    insert into mailboxes (id, account_id, name, email, created_at, updated_at)
      values ('${idOf('row', 1)}', '${ACCOUNT}', 'Support', 'support@acme.test', now(), now());
    insert into customers (id, account_id, email, created_at, updated_at)
      values ('${idOf('row', 2)}', '${ACCOUNT}', 'ada@client.test', now(), now());
    insert into grants (id, account_id, agent_id, name, scopes, created_at)
      values ('${idOf('grant', 1)}', '${ACCOUNT}', '${idOf('agent', 1)}', 'tests', '{read}', now());
    insert into webhooks (id, account_id, event, url, state, failing_since, created_at, updated_at)
      select ${id('webhook', 'n')}, '${ACCOUNT}', 'ticket_started', 'https://acme.test/', 'active',
        case when n <= 10 then ${at(START)} end, now(), now()
      from generate_series(1, ${WEBHOOKS}) n;
    insert into webhook_secrets (id, account_id, webhook_id, sealed, key_id, created_at)
      select ${id('secret', 'n')}, '${ACCOUNT}', ${id('webhook', 'n')}, '\\x00', 'k', now() from generate_series(1, ${WEBHOOKS}) n;
    update webhooks set state = 'disabled', disabled_reason = 'gone', failing_since = null where id = '${DISABLED_WEBHOOK}'`);
}

/** Every fourth is queued, the lease of every fortieth has expired, and every fourth waits for a retry. */
const OWED = `
  insert into owed_deliveries (delivery_id, account_id, webhook_id, event_id, attempts, queued, due_at)
  select ${id('delivery', 'n')}, '${ACCOUNT}', ${id('webhook', `1 + n % ${WEBHOOKS}`)},
    ${id('event', `1 + n / ${WEBHOOKS_OF_AN_EVENT}`)}, 0, n % 4 = 0,
    case when n % 40 = 0 then ${at(later(-1))} when n % 4 = 0 then ${at(LEASED_UNTIL)}
      when n % 4 = 1 then ${at(later(60_000))} else ${at(later(-1000))} end
  from generate_series(1, $1::int) n`;

/** By table. Ten rows of each table that upkeep empties have expired. */
const OTHERS: Readonly<Record<string, string>> = {
  outbox: `(account_id, event_id, webhook_ids, express) select '${ACCOUNT}', ${id('event', 'n')},
    array(select ${id('webhook', 'w')} from generate_series(1, ${WEBHOOKS_OF_AN_EVENT}) w), n % 2 = 0`,
  events: `(id, account_id, sequence, kind, payload, transaction_id, created_at)
    select ${id('event', 'n')}, '${ACCOUNT}', n, 'ticket_started', '{}', n, now()`,
  deliveries: `(id, account_id, webhook_id, event_id, kind, state, next_attempt_at, attempts, created_at)
    select ${id('delivery', 'n')}, '${ACCOUNT}', ${id('webhook', `1 + n % ${WEBHOOKS}`)},
      ${id('event', `1 + n / ${WEBHOOKS_OF_AN_EVENT}`)}, 'ticket_started', case when n <= $1 / 2 then 'pending' else 'exhausted' end, now(), 1, now()`,
  attempts: `(id, account_id, webhook_id, delivery_id, number, started_at, duration_ms, request_headers)
    select ${id('attempt', 'n')}, '${ACCOUNT}', ${id('webhook', `1 + n % ${WEBHOOKS}`)}, ${id('delivery', 'n')}, 1, now(), 1, '{}'`,
  delivery_counts: `(webhook_id, hour, shard, account_id, delivered, retried, given_up, duration_ms, longest_ms)
    select ${id('webhook', 'n')}, case when n <= 10 then ${at(later(-9 * 86_400_000))} else ${at(NOW)} end, 0, '${ACCOUNT}', 1, 0, 0, 5, 5`,
  backlog_hours: `(account_id, hour, owed, oldest_seconds)
    select ${id('account', 'n')}, case when n <= 10 then ${at(later(-9 * 86_400_000))} else ${at(NOW)} end, 1, 1`,
  replays: `(id, account_id, webhook_id, agent_id, choice, since, before, state, next_step_at, created_at, finished_at)
    select ${id('row', 'n')}, '${ACCOUNT}', ${id('webhook', `1 + n % ${WEBHOOKS}`)}, '${idOf('agent', 1)}', 'all', now(), now(), 'finished',
      ${at(later(-1000))}, now(), case when n > 10 then now() end`,
  outgoing_mails: `(id, account_id, lane, kind, state, recipient, due_at, queued_at, handed_over_at, ended_at)
    select ${id('row', 'n')}, '${ACCOUNT}', ${id('row', '1 + n % 10')}, 'link', case when n > 20 and n <= 30 then 'sent' else 'queued' end, '',
      case when n <= 20 then ${at(later(-1))} else ${at(later(3_600_000))} end, now(),
      case when n > 10 and n <= 20 then now() end, case when n > 20 and n <= 30 then ${at(later(-1))} end`,
  arrivals: `(id, account_id, mailbox_id, source, hash, size, state, due_at, created_at, processed_at)
    select ${id('row', 'n')}, '${ACCOUNT}', '${idOf('row', 1)}', 'api', '', 0,
      (array['waiting', 'processed', 'quarantined'])[1 + n % 3],
      case when n <= 20 then ${at(later(-1))} else ${at(later(3_600_000))} end, now(),
      case when n <= 20 then ${at(later(-1))} else ${at(later(3_600_000))} end`,
  // Inserted last: rows that are deleted before add stray files.
  stray_files: `(id, account_id, due_at) select ${id('row', 'n')}, '${ACCOUNT}', ${ended('n')}`,
  activities: `(id, account_id, kind, agent_id, ticket_id, subject, created_at)
    select ${id('row', 'n')}, '${ACCOUNT}', 'note', '${idOf('agent', 1)}', case when n % 2 = 0 then ${id('ticket', 'n')} end, '', now()`,
  tickets: `(id, account_id, number, state, mailbox_id, customer_id, deleted_at, snoozed_until, created_at, updated_at)
    select ${id('ticket', 'n')}, '${ACCOUNT}', n, 'unread', '${idOf('row', 1)}', '${idOf('row', 2)}',
      case when n <= 10 then ${at(later(-31 * 86_400_000))} when n <= 1000 then ${at(later(-1))} end,
      case when n > ${ROWS - 10} then ${at(later(-1))} when n > ${ROWS - SNOOZED} then ${at(later(3_600_000))} end, now(), now()`,
  messages: `(id, account_id, ticket_id, author_agent_id, note, body, plain_text_body, created_at, updated_at)
    select ${id('row', 'n')}, '${ACCOUNT}', ${id('ticket', 'n')}, '${idOf('agent', 1)}', false, '', '', now(), now()`,
  authorization_codes: `(hash, grant_id, scopes, scope_requested, audiences, redirect_uri, expires_at)
    select int8send(n), '${idOf('grant', 1)}', '{}', false, '{api}', '', ${ended('n')}`,
  tokens: `(hash, kind, grant_id, scopes, issued_at, expires_at, consumed_at, retry_salt)
    select int8send(n), 'refresh', '${idOf('grant', 1)}', '{}', now(), ${ended('n')},
      case when n % 2 = 0 then ${at(later(-1000))} when n < 20 then ${at(later(-600_000))} end, case when n % 2 = 0 or n < 20 then '\\x00'::bytea end`,
  sessions: `(id, hash, account_id, agent_id, user_agent, address, created_at, last_seen_at, expires_at)
    select ${id('row', 'n')}, int8send(n), '${ACCOUNT}', '${idOf('agent', 1)}', '', '', now(), now(), ${ended('n')}`,
  visits: `(hash, return_to, agent_ids, expires_at) select int8send(n), '', '{}', ${ended('n')}`,
  sign_in_challenges: `(hash, account_id, agent_id, return_to, expires_at)
    select int8send(n), '${ACCOUNT}', '${idOf('agent', 1)}', '', ${ended('n')}`,
  single_use_links: `(hash, purpose, account_id, agent_id, created_at, expires_at)
    select int8send(n), 'reset', '${ACCOUNT}', '${idOf('agent', 1)}', now(), ${ended('n')}`,
  throttles: `(key, count, ends_at) select int8send(n), 1, ${ended('n')}`,
  idempotency_keys: `(account_id, grant_id, key, request_hash, created_at)
    select '${ACCOUNT}', '${idOf('grant', 1)}', 'key-' || n, '\\x00',
      case when n <= 10 then ${at(later(-26 * 3_600_000))} else ${at(NOW)} end`,
};

function ended(n: string): string {
  return `case when ${n} <= 10 then ${at(later(-48 * 3_600_000))} else ${at(later(3_600_000))} end`;
}

const SUBSCRIBER_TABLES = ['accounts', 'agents', 'mailboxes', 'customers', 'grants', 'webhooks', 'webhook_secrets'];
const TABLES = [...SUBSCRIBER_TABLES, 'owed_deliveries', ...Object.keys(OTHERS)].join(', ');

export async function fillBusyTables(sql: Client, rows: number, owed = rows): Promise<void> {
  await insertSubscribers(sql);
  await sql.query(OWED, [owed]);
  for (const [table, columns] of Object.entries(OTHERS))
    await sql.query(`insert into ${table} ${columns} from generate_series(1, $1::int) n`, [rows]);
}

export async function emptyBusyTables(sql: Client): Promise<void> {
  for (const table of TABLES.split(', ')) await sql.query(`delete from ${table}`);
}

/** The statistics of the tables before they are filled. */
export const STATISTICS: Readonly<Record<string, (sql: Client) => Promise<unknown>>> = {
  'without statistics': async () => undefined,
  'with statistics of empty tables': async (sql) => {
    await fillBusyTables(sql, 300);
    await emptyBusyTables(sql);
    await sql.query(`analyze ${TABLES}`);
  },
  'with statistics of 100,000 owed deliveries': gatherFromBacklog,
  // Tables that are empty after a burst but still have its size.
  'with statistics of tables that were emptied': async (sql) => {
    await gatherFromBacklog(sql);
    await sql.query(
      "update pg_class set reltuples = 0, relallvisible = 0 where relname ~ '^(owed_deliveries|outbox)(_|$)' and relkind in ('r', 'i')",
    );
  },
};

async function gatherFromBacklog(sql: Client): Promise<void> {
  await fillBusyTables(sql, 300, 100_000);
  await sql.query(`analyze ${TABLES}`);
  await sql.query('create table gathered as select oid, reltuples, relpages from pg_class');
  await emptyBusyTables(sql);
  // Removes dead rows and leaves the statistics as they are.
  await sql.query(`vacuum ${TABLES}`);
  await sql.query(
    'update pg_class c set reltuples = b.reltuples, relpages = b.relpages from gathered b where b.oid = c.oid',
  );
}
