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

  it('serializes values', () => {
    expect([null, 1, new Date('2026-01-02T03:04:05Z'), ['a"b']].map(prepareValue)).toEqual([
      null,
      '1',
      expect.stringContaining('2026-01-02T'),
      '{"a\\"b"}',
    ]);
  });

  it('keeps the texts of prepared statements on the connection', async () => {
    const asked = client.query({ name: 'one', text: 'select 1' });
    const { submittedNamedStatements, parsedStatements } = preparedStatementsOf(client.connection);
    await asked;

    expect(parsedStatements).toEqual({ one: 'select 1' });
    expect(submittedNamedStatements).toEqual({});
  });

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

  it('opens as many connections as the pool may have now', async () => {
    const pool = new Pool({ connectionString, max: 1 });
    setMaxConnections(pool, 2);
    const clients = await Promise.all([pool.connect(), pool.connect()]);

    expect(pool.totalCount).toBe(2);
    for (const one of clients) one.release();
    await pool.end();
  });
});
