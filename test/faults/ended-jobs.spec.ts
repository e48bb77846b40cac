import { randomUUID } from 'node:crypto';
import { EventEmitter, once } from 'node:events';
import { DeliveryQueue } from '#libs/delivery';
import { Client } from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Desk, startDesk } from '#test/support/desk.js';
import { eventually } from '#test/support/eventually.js';

const BLOCKED = `select pid, query from pg_stat_activity
  where datname = current_database() and application_name = 'deskwire-queue' and wait_event_type = 'Lock'`;

let desk: Desk;
let holder: Client;
let queue: DeliveryQueue;
beforeAll(async () => {
  desk = await startDesk({ queue: 'postgres' });
  holder = new Client({ connectionString: desk.settings.DATABASE_URL });
  await holder.connect();
  queue = DeliveryQueue.open(desk.settings, () => undefined);
});
afterAll(async () => {
  await queue.close();
  await holder.end();
  await desk.stop();
});

it('removes a job that ended while its connection to PostgreSQL was lost, and does not run it again', async () => {
  let runs = 0;
  const receiver = new EventEmitter();
  const answered = once(receiver, 'answer');
  const worker = queue.startWorker('express', async () => {
    runs += 1;
    await answered;
  });
  const id = randomUUID();
  await queue.addEvents([{ eventId: id }]);
  await eventually(() => runs === 1);
  await holder.query('begin');
  await holder.query('select from deskwire_queue.job where id = $1 for update', [id]);
  receiver.emit('answer');
  const first = await endBlockedSession();
  // Without a repetition, BullMQ now reports the job as failed.
  await endBlockedSession();
  await holder.query('rollback');
  const released = performance.now();
  await eventually(async () => (await queue.size()).active === 0, { withinMs: 70_000 });
  const waitedMs = performance.now() - released;
  await worker.close();

  expect(first).toContain('move_to_completed');
  expect(waitedMs).toBeLessThan(10_000);
  expect(runs).toBe(1);
}, 90_000);

async function endBlockedSession(): Promise<string> {
  const { pid, query } = await eventually(async () => {
    const { rows } = await desk.sql.query<{ pid: number; query: string }>(BLOCKED);
    return rows[0];
  });
  await desk.sql.query('select pg_terminate_backend($1)', [pid]);
  await eventually(async () => !(await desk.sql.query<{ pid: number }>(BLOCKED)).rows.some((row) => row.pid === pid));
  return query;
}
