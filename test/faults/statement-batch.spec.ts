import { Socket } from 'node:net';
import { Database, StatementBatch, accountStatement, createDataSource } from '#libs/database';
import { Client, type PoolClient, type QueryResult } from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { type TestDatabase, createDatabase } from '#test/support/database.js';
import { CuttingProxy } from './cutting-proxy.js';

type Statement = Pick<StatementBatch['statements'][number], 'name' | 'text' | 'values'>;

const BEGIN: Statement = { name: 'tx_begin', text: 'begin', values: [] };
const COMMIT: Statement = { name: 'tx_commit', text: 'commit', values: [] };
const BROKEN: Statement = { name: 'broken', text: 'select no_such_column', values: [] };
const COUNT: Statement = { name: 'count', text: 'select count(*)::int as n from kept', values: [] };
const insert = (id: unknown): Statement => ({ name: 'keep', text: 'insert into kept values ($1)', values: [id] });

const UNDEFINED_COLUMN = '42703';
const UNIQUE_VIOLATION = '23505';

const NO_ACCOUNT = '00000000-0000-0000-0000-000000000000';

const FIRST = accountStatement('test_batch_first', 'select from groups where account_id = $1');
const SECOND = accountStatement('test_batch_second', 'select from groups where account_id = $1 limit 1');
const REFUSED = accountStatement('test_batch_refused', 'select no_such_column from groups where account_id = $1');

let at: TestDatabase;
let client: Client;

beforeAll(async () => void (at = await createDatabase()));
afterAll(() => at.drop());
beforeEach(async () => {
  client = await connect(at.url);
  await client.query('create table if not exists kept (id int primary key deferrable initially deferred)');
  await client.query('truncate kept');
});

async function connect(connectionString: string): Promise<Client> {
  const connected = new Client({ connectionString, application_name: 'deskwire-tests' });
  connected.on('error', () => undefined);
  await connected.connect();
  onTestFinished(() => connected.end());
  return connected;
}

/** The response to each statement: its rows, or its command without rows, or its error. */
async function run(on: Client | PoolClient, ...statements: Statement[]): Promise<unknown[]> {
  const waiting: StatementBatch['statements'][number][] = [];
  const answers = statements.map(
    (one) => new Promise<QueryResult>((resolve, reject) => waiting.push({ ...one, resolve, reject })),
  );
  on.query(new StatementBatch(waiting));
  return (await Promise.allSettled(answers)).map((answer) => {
    if (answer.status === 'rejected') return answer.reason.code ?? answer.reason.message;
    return answer.value.rows.length > 0 ? answer.value.rows : answer.value.command;
  });
}

const kept = async (): Promise<unknown[]> =>
  (await client.query('select id from kept order by id')).rows.map(({ id }) => id);

describe('a batch of statements', () => {
  it('answers each statement', async () => {
    expect(await run(client, BEGIN, insert(1), COUNT, COMMIT)).toEqual(['BEGIN', 'INSERT', [{ n: 1 }], 'COMMIT']);
    expect(await kept()).toEqual([1]);
  });

  it('rejects all statements when one before the COMMIT fails', async () => {
    expect(await run(client, BEGIN, insert(1), BROKEN, COMMIT)).toEqual(Array(4).fill(UNDEFINED_COLUMN));

    await client.query('rollback');
    expect(await kept()).toEqual([]);
  });

  it('reports the last COMMIT, and rejects the statements after it when one of them fails', async () => {
    const batch = [BEGIN, insert(1), COMMIT, BEGIN, insert(2), COMMIT, COUNT, BROKEN, COUNT];
    const committed = ['BEGIN', 'INSERT', 'COMMIT'];

    expect(await run(client, ...batch)).toEqual([...committed, ...committed, ...Array(3).fill(UNDEFINED_COLUMN)]);
    expect(await kept()).toEqual([1, 2]);
  });

  it('rejects a statement whose commit PostgreSQL refuses', async () => {
    expect(await run(client, insert(1), insert(1))).toEqual([UNIQUE_VIOLATION, UNIQUE_VIOLATION]);
    expect(await run(client, COUNT)).toEqual([[{ n: 0 }]]);
  });

  it('reports exactly what was committed when the connection is lost after the responses', async () => {
    const proxy = await CuttingProxy.inFrontOf(at.url, 'deskwire-tests');
    onTestFinished(() => proxy.stop());
    const lost = 'Connection terminated unexpectedly';
    const [first, second] = [await connect(proxy.url), await connect(proxy.url)];

    const { result: single } = await proxy.cutDuring(1, () => run(first, insert(1)));
    const { result: transaction } = await proxy.cutDuring(1, () => run(second, BEGIN, insert(2), COMMIT, insert(3)));

    expect(single).toEqual([lost]);
    expect(transaction).toEqual(['BEGIN', 'INSERT', 'COMMIT', lost]);
    expect(await kept()).toEqual([2]);
  });

  it('sends no statement after one that cannot be serialized', async () => {
    const circular: Record<string, unknown> = {};
    circular['itself'] = circular;

    const [answer, ...errors] = await run(client, insert(1), insert(circular), insert(2));
    expect(answer).toBe('INSERT');
    expect(errors).toEqual(Array(2).fill(expect.stringMatching(/circular/i)));
    expect(await run(client, COUNT)).toEqual([[{ n: 1 }]]);
  });

  it('sends no second text under the name of a prepared statement', async () => {
    await run(client, COUNT);
    const other = { ...COUNT, text: 'select 1 as n' };

    expect(await run(client, other, insert(1))).toEqual(Array(2).fill('Two statements are called count'));
    expect(await run(client, COUNT)).toEqual([[{ n: 0 }]]);
  });

  it('prepares a statement once per connection', async () => {
    await run(client, COUNT);
    const before = await preparedBy(client);
    await run(client, COUNT, COUNT);

    expect(before.map(({ name }) => name)).toEqual(['count']);
    expect(await preparedBy(client)).toEqual(before);
  });

  it('keeps what was prepared before a failed statement, and prepares what followed it again', async () => {
    await run(client, insert(1), BROKEN, COUNT);
    const [before] = await preparedBy(client);
    expect(await run(client, insert(1), COUNT)).toEqual(['INSERT', [{ n: 1 }]]);
    expect(await run(client, COUNT)).toEqual([[{ n: 1 }]]);

    expect(before).toMatchObject({ name: 'keep' });
    expect(await preparedBy(client)).toEqual([expect.objectContaining({ name: 'count' }), before]);
  });

  it('leaves in one packet', async () => {
    const packets = await packetsOf(() => run(client, BEGIN, insert(1), COUNT, COMMIT));

    expect(packets).toBe(1);
  });
});

describe('renewed connections', () => {
  let database: Database;
  beforeEach(async () => {
    const settings = { DATABASE_URL: at.url, DATABASE_POOL_SIZE: 4 };
    database = new Database(await createDataSource(settings, 'tests').initialize());
    onTestFinished(() => database.dataSource.destroy());
  });

  const hold = (count: number) => Promise.all(Array.from({ length: count }, () => database.pool().connect()));

  it('take the place of those that were idle', async () => {
    const before = await hold(3);
    release(before);
    await database.renew(1, []);
    const [after] = await hold(1);
    release([after!]);

    expect(database.pool().totalCount).toBe(1);
    expect(before).not.toContain(after);
  });

  it('prepare any number of statements in one packet', async () => {
    const few = await packetsOf(() => database.renew(1, []));
    const more = await packetsOf(() => database.renew(1, [FIRST.name, SECOND.name]));

    expect(more).toBe(few);
  });

  it('leave no connection open when PostgreSQL refuses a statement', async () => {
    await expect(database.renew(2, [FIRST.name, REFUSED.name])).rejects.toMatchObject({ code: UNDEFINED_COLUMN });

    await expect.poll(() => database.pool().totalCount).toBe(0);
    expect(await database.account(NO_ACCOUNT).rows(FIRST)).toEqual([]);
  });

  it('reject with the error of a connection that could not be opened', async () => {
    const proxy = await CuttingProxy.inFrontOf(at.url, 'deskwire-tests');
    const settings = { DATABASE_URL: proxy.url, DATABASE_POOL_SIZE: 4 };
    const unreachable = new Database(await createDataSource(settings, 'tests').initialize());
    onTestFinished(() => unreachable.dataSource.destroy());
    proxy.stop();

    await expect(unreachable.renew(2, [])).rejects.toThrow('ECONNREFUSED');
  });
});

function release(clients: readonly PoolClient[]): void {
  for (const one of clients) one.release();
}

const preparedBy = async (on: Client | PoolClient) =>
  (await on.query<{ name: string }>('select name, prepare_time from pg_prepared_statements order by name')).rows;

/** Writes of this process to its sockets. */
async function packetsOf(work: () => Promise<unknown>): Promise<number> {
  const sockets = Socket.prototype as Required<Socket>;
  const spies = [vi.spyOn(sockets, '_write'), vi.spyOn(sockets, '_writev')];
  try {
    await work();
    return spies.reduce((count, { mock }) => count + mock.calls.length, 0);
  } finally {
    for (const spy of spies) spy.mockRestore();
  }
}
