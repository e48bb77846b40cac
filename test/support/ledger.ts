import { Database, createDataSource, later, uuidAt } from '#libs/database';
import type { DeliveryState } from '#libs/entities';
import { Client } from 'pg';
import { afterAll, beforeEach } from 'vitest';
import { NOW } from './attempts.js';
import { type TestDatabase, createDatabase } from './database.js';
import { eventually } from './eventually.js';
import { type SeededAccount, seedAccount } from './seed.js';

type Columns = Readonly<Record<string, unknown>>;

interface OwedRow {
  readonly attempts?: number;
  readonly queued?: boolean;
  readonly dueAt?: Date;
  readonly eventId?: string;
}

interface DeliveryRow {
  readonly state?: DeliveryState;
  readonly attempts?: number;
  readonly at?: Date;
  readonly eventId?: string;
  readonly columns?: Columns;
}

/** In the order of their foreign keys. */
const TABLES =
  'attempts owed_deliveries deliveries outbox events replays delivery_counts webhook_secrets webhooks outgoing_mails';

/** Transactions that wait for the one of this connection. */
const BLOCKED = 'select from pg_locks where not granted and pg_backend_pid() = any(pg_blocking_pids(pid))';

/** Ids in the order of calls: those of one millisecond have no order. */
const nextId = (() => {
  let count = 0;
  return (): string => uuidAt(later(NOW, ++count - 3_600_000));
})();

/** The ledger of a test file, empty before each test. */
export async function startLedger(): Promise<Ledger> {
  const ledger = await Ledger.start();
  afterAll(() => ledger.stop());
  beforeEach(() => ledger.clear());
  return ledger;
}

/** A database with an account, for code that runs in this process, without an API or a worker. */
export class Ledger {
  private constructor(
    readonly database: Database,
    readonly sql: Client,
    readonly account: SeededAccount,
    readonly at: TestDatabase,
  ) {}

  static async start(databaseServer?: string): Promise<Ledger> {
    const at = await createDatabase(databaseServer);
    const source = createDataSource({ DATABASE_URL: at.url, DATABASE_POOL_SIZE: 4 }, 'tests');
    const sql = new Client({ connectionString: at.url });
    await sql.connect();
    return new Ledger(new Database(await source.initialize()), sql, await seedAccount(sql), at);
  }

  async stop(): Promise<void> {
    await this.database.dataSource.destroy();
    await this.sql.end();
    await this.at.drop();
  }

  get system() {
    return this.database.system();
  }

  async clear(): Promise<void> {
    await this.sql.query(
      TABLES.split(' ')
        .map((table) => `delete from ${table}`)
        .join('; '),
    );
  }

  async insert(table: string, row: Columns): Promise<void> {
    const places = Object.keys(row).map((_name, place) => `$${place + 1}`);
    const text = `insert into ${table} (${Object.keys(row).join(', ')}) values (${places.join(', ')})`;
    await this.sql.query(text, Object.values(row));
  }

  async webhook(columns: Columns = {}): Promise<string> {
    const id = nextId();
    const fixed = { id, account_id: this.account.id, event: 'ticket_started', created_at: NOW, updated_at: NOW };
    await this.insert('webhooks', { ...fixed, url: 'https://hooks.example/', state: 'active', ...columns });
    return id;
  }

  async event({ id = nextId(), payload = '{"number":1}', accountId = this.account.id } = {}): Promise<string> {
    await this.insert('events', {
      id,
      account_id: accountId,
      sequence: 42,
      kind: 'ticket_started',
      payload,
      transaction_id: 1,
      request_id: 'request',
      created_at: NOW,
    });
    return id;
  }

  /** An event that waits for its deliveries. */
  async outbox(webhookIds: readonly string[], { express = false, at = NOW, accountId = this.account.id } = {}) {
    const eventId = await this.event({ id: uuidAt(at), accountId });
    await this.insert('outbox', { account_id: accountId, event_id: eventId, webhook_ids: webhookIds, express });
    return eventId;
  }

  async delivery(webhookId: string, { state = 'exhausted', at, ...row }: DeliveryRow = {}): Promise<string> {
    const id = at ? uuidAt(at) : nextId();
    const owner = { account_id: this.account.id, webhook_id: webhookId, event_id: row.eventId ?? (await this.event()) };
    const fixed = { kind: 'ticket_started', state, attempts: row.attempts ?? 1, created_at: at ?? NOW };
    await this.insert('deliveries', { id, ...owner, ...fixed, ...row.columns });
    return id;
  }

  /** A pending delivery with its debt. */
  async owed(webhookId: string, { attempts = 0, queued = false, dueAt = NOW, ...row }: OwedRow = {}) {
    const eventId = row.eventId ?? (await this.event());
    const columns = { next_attempt_at: dueAt };
    const deliveryId = await this.delivery(webhookId, { state: 'pending', attempts, eventId, columns });
    const ids = { delivery_id: deliveryId, account_id: this.account.id, webhook_id: webhookId, event_id: eventId };
    await this.insert('owed_deliveries', { ...ids, attempts, queued, due_at: dueAt });
    return { deliveryId, eventId, attempts };
  }

  async replay(webhookId: string, columns: Columns = {}): Promise<string> {
    const id = nextId();
    const owner = { account_id: this.account.id, webhook_id: webhookId, agent_id: this.account.owner.id };
    const range = { choice: 'failed', since: later(NOW, -10_000), before: NOW };
    const times = { next_step_at: NOW, created_at: NOW };
    await this.insert('replays', { id, ...owner, ...range, state: 'running', ...times, ...columns });
    return id;
  }

  async rows(table: string, order: string): Promise<Record<string, unknown>[]> {
    return (await this.sql.query(`select * from ${table} order by ${order}`)).rows;
  }

  async owedRows() {
    const rows = await this.rows('owed_deliveries', 'delivery_id');
    return rows.map(({ delivery_id: deliveryId, attempts, queued, due_at: dueAt }) => ({
      deliveryId,
      attempts,
      queued,
      dueAt,
    }));
  }

  async one(table: string, id: string): Promise<Record<string, unknown>> {
    return (await this.sql.query(`select * from ${table} where id = $1`, [id])).rows[0];
  }

  async whileBlocked(
    deliveryId: string,
    work: () => Promise<unknown>,
    meanwhile: () => Promise<unknown>,
  ): Promise<void> {
    await this.sql.query('begin');
    await this.sql.query('select from owed_deliveries where delivery_id = $1 for update', [deliveryId]);
    const working = work();
    working.catch(() => undefined);
    try {
      await eventually(async () => (await this.sql.query(BLOCKED)).rowCount === 1);
      await meanwhile();
    } finally {
      await this.sql.query('rollback');
    }
    await working;
  }

  /**
   * Whether `work` locks the lower of two owed deliveries first: while another transaction holds that one, the higher one
   * must still be free.
   */
  async locksLowerIdFirst(low: string, high: string, work: () => Promise<unknown>): Promise<boolean> {
    const lock = 'select from owed_deliveries where delivery_id = $1 for update skip locked';
    await this.sql.query('begin');
    await this.sql.query(lock, [low]);
    let isDone = false;
    const working = work().finally(() => (isDone = true));
    working.catch(() => undefined);
    await eventually(async () => isDone || (await this.sql.query(BLOCKED)).rowCount === 1);
    const isBlocked = !isDone;
    const { rowCount } = await this.sql.query(lock, [high]);
    await this.sql.query('commit');
    await working;
    return isBlocked && rowCount === 1;
  }
}
