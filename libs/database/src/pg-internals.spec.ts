import { Client, Pool } from 'pg';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  destroyConnection,
  isWaiting,
  onServerError,
  prepareValue,
  preparedStatementsOf,
  setHost,
  setMaxConnections,
  socketOf,
} from './pg-internals.js';

const connectionString = process.env['DATABASE_URL']!;

describe('the installed version of pg', () => {
  let client: Client;

  beforeEach(async () => {
    client = new Client({ connectionString });
    client.on('error', () => undefined);
    await client.connect();
  });
  afterEach(() => client.end().catch(() => undefined));

  it('knows whether it waits for a response', async () => {
    expect(isWaiting(client)).toBe(false);
    const asked = client.query('select 1');
    expect(isWaiting(client)).toBe(true);
    await asked;
    expect(isWaiting(client)).toBe(false);
  });

  it('emits the errors of the server', async () => {
    const codes: unknown[] = [];
    onServerError(client, (code) => codes.push(code));
    await expect(client.query('select no_such_column')).rejects.toThrow('no_such_column');

    expect(codes).toEqual(['42703']);
  });

  it('fails a query whose connection is destroyed', async () => {
    const asked = client.query('select pg_sleep(10)');
    destroyConnection(client);

    await expect(asked).rejects.toThrow('Connection terminated');
    expect(socketOf(client).destroyed).toBe(true);
  });

  it('connects to the host that was set last', async () => {
    const { hostname, port } = new URL(connectionString);
    const moved = new Client({ connectionString: connectionString.replace(`:${port}/`, ':1/') });
    setHost(moved, { host: hostname, port: Number(port) });
    await moved.connect();

    expect(moved.port).toBe(Number(port));
    await moved.end();
  });

  it.each([['text'], [12.5], [true], [null], [{ a: "it's" }], [['a "b"', null, 'c,d']]])(
    'sends the value that prepareValue returns: %j',
    async (value) => {
      const { rows } = await client.query<{ sent: string | null }>('select $1::text as sent', [value]);

      expect(prepareValue(value)).toBe(rows[0]!.sent);
    },
  );

  it('records which statements were sent for parsing and which were parsed', async () => {
    const statement = { name: 'one', text: 'select 1' };
    const { submittedNamedStatements, parsedStatements } = preparedStatementsOf(client.connection);
    const asked = client.query(statement);
    expect([submittedNamedStatements, parsedStatements]).toEqual([{ one: 'select 1' }, {}]);
    await asked;

    expect([submittedNamedStatements, parsedStatements]).toEqual([{}, { one: 'select 1' }]);
  });

  it('opens as many connections as the pool was last allowed', async () => {
    const pool = new Pool({ connectionString, max: 1 });
    const first = await pool.connect();
    setMaxConnections(pool, 2);
    const second = await pool.connect();
    const third = pool.connect();

    expect([pool.totalCount, pool.waitingCount]).toEqual([2, 1]);
    first.release();
    second.release();
    (await third).release();
    await pool.end();
  });
});
