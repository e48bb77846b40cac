import { randomUUID } from 'node:crypto';
import { EventEmitter, once } from 'node:events';
import { DeliveryQueue } from '#libs/delivery';
import { expect, it, onTestFinished } from 'vitest';
import { withClient } from '#test/support/database.js';
import { type Desk, startDesk } from '#test/support/desk.js';
import { eventually } from '#test/support/eventually.js';

const BLOCKED = `select pid, query from pg_stat_activity
  where datname = current_database() and application_name = 'deskwire-queue' and wait_event_type = 'Lock'`;

it('removes a job that ended while its connection to PostgreSQL was lost, and does not run it again', async () => {
  const desk = await startDesk({ queue: 'postgres' });
  onTestFinished(() => desk.stop());
  const queue = DeliveryQueue.open(desk.settings, () => undefined);
  onTestFinished(() => queue.close());
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
  const first = await withClient(desk.settings.DATABASE_URL, async (holder) => {
    await holder.query('begin');
    await holder.query('select from deskwire_queue.job where id = $1 for update', [id]);
    receiver.emit('answer');
    const query = await endBlockedSession(desk);
    // Without a repetition, BullMQ now reports the job as failed.
    await endBlockedSession(desk);
    return query;
  });
  const released = performance.now();
  await eventually(async () => (await queue.size()).active === 0, { withinMs: 70_000 });
  const waitedMs = performance.now() - released;
  await worker.close();

  expect(first).toContain('move_to_completed');
  expect(waitedMs).toBeLessThan(10_000);
  expect(runs).toBe(1);
}, 90_000);

async function endBlockedSession({ sql }: Desk): Promise<string> {
  const blocked = async () => (await sql.query<{ pid: number; query: string }>(BLOCKED)).rows;
  const { pid, query } = await eventually(async () => (await blocked())[0]);
  await sql.query('select pg_terminate_backend($1)', [pid]);
  await eventually(async () => !(await blocked()).some((row) => row.pid === pid));
  return query;
}
