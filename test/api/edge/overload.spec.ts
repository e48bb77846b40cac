// @module-tag long
import { Database } from '#libs/database';
import { afterAll, describe, expect, it } from 'vitest';
import { startDesk } from '#test/support/desk.js';
import { eventually } from '#test/support/eventually.js';

const CONNECTIONS = 2;
const MAX_WAITING = 20 * CONNECTIONS;

const desk = await startDesk({ settings: { DATABASE_POOL_SIZE: `${CONNECTIONS}` } });
afterAll(() => desk.stop());

const waiting = (): number => desk.api.get(Database).pool().waitingCount;

const listTickets = (count: number) => Array.from({ length: count }, () => desk.client().get('/v1/tickets'));

async function areAllLocked(): Promise<boolean> {
  const locks = await desk.sql.query("select from pg_locks where not granted and relation = 'tickets'::regclass");
  return locks.rowCount === CONNECTIONS;
}

async function refusals(): Promise<number> {
  const { text } = await desk.anonymous().get('/metrics');
  return Number(/deskwire_http_refused_total\{reason="overload"[^}]*\} (\d+)/.exec(text)?.[1]);
}

describe('an API whose requests all wait for PostgreSQL', () => {
  it('refuses further requests with 503, answers probes, and serves those that wait', async () => {
    await desk.sql.query('begin');
    await desk.sql.query('lock table tickets in access exclusive mode');
    const held = listTickets(CONNECTIONS);
    await eventually(areAllLocked);
    held.push(...listTickets(MAX_WAITING));
    await eventually(() => waiting() === MAX_WAITING);

    const refused = await desk.client().get('/v1/tickets');
    expect([refused.status, refused.body.error]).toEqual([503, 'overloaded']);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await desk.anonymous().get('/healthz')).status).toBe(200);

    await desk.sql.query('rollback');
    const statuses = (await Promise.all(held)).map(({ status }) => status);
    expect(statuses).toEqual(held.map(() => 200));
    expect(await refusals()).toBe(1);
  });
});
