import { randomUUID } from 'node:crypto';
import { DeliveryQueue } from '#libs/delivery';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { recordEvents } from '../faults/traffic.js';
import { type Desk, startDesk } from '#test/support/desk.js';
import { eventually } from '#test/support/eventually.js';
import { insertWebhooks } from '#test/support/webhooks.js';

/** Without a worker, so that events stay in the outbox. */
let desk: Desk;
beforeEach(async () => {
  desk = await startDesk({ queue: 'redis' });
});
afterEach(() => desk.stop());

const subscribe = (count: number): Promise<void> =>
  insertWebhooks(
    desk,
    Array.from({ length: count }, () => `https://hooks.example/${randomUUID()}`),
  );

async function isHandedOver(): Promise<boolean> {
  await recordEvents(desk, 1);
  return (await desk.sql.query('select express from outbox order by event_id desc limit 1')).rows[0].express;
}

const CHANGES = [
  "state = 'paused'",
  "state = 'active', retry_after_until = now() + interval '1 hour'",
  "retry_after_until = now() - interval '1 second', slow_until = now() - interval '1 second'",
  "slow_until = now() + interval '1 hour'",
];

it('leaves all but fifty events of a burst to the relay', async () => {
  await subscribe(1);
  await eventually(isHandedOver);
  await desk.sql.query('delete from outbox');
  const startedAt = performance.now();
  await recordEvents(desk, 400, 400);
  const refilled = (performance.now() - startedAt) / 4;

  const { rowCount } = await desk.sql.query('select from outbox where express');

  expect(rowCount).toBeGreaterThan(40);
  expect(rowCount).toBeLessThanOrEqual(50 + refilled);
});

it('leaves an event of more than twenty webhooks to the relay', async () => {
  await subscribe(20);
  await eventually(isHandedOver);
  await subscribe(1);
  expect(await isHandedOver()).toBe(false);
  await desk.sql.query('delete from webhooks where id = (select id from webhooks limit 1)');

  expect(await isHandedOver()).toBe(true);
});

it('puts the content of an event into its job, unless a webhook is paused or slow', async () => {
  await subscribe(1);
  await eventually(isHandedOver);
  const queue = DeliveryQueue.open(desk.settings, () => undefined);
  const hasContent: boolean[] = [];
  const worker = queue.startWorker('express', async (job) => {
    hasContent.push('content' in job && job.content !== undefined);
  });
  await eventually(() => hasContent.length === 1);
  for (const [place, change] of CHANGES.entries()) {
    await desk.sql.query(`update webhooks set ${change}`);
    await recordEvents(desk, 1);
    await eventually(() => hasContent.length === place + 2);
  }

  expect(hasContent).toEqual([true, false, false, true, false]);
  await worker.close();
  await queue.close();
});

it('leaves events to the relay while 2,000 wait for workers', async () => {
  await subscribe(1);
  const queue = DeliveryQueue.open(desk.settings, () => undefined);
  await queue.addEvents(Array.from({ length: 2_000 }, () => ({ eventId: randomUUID() })));
  await eventually(async () => !(await isHandedOver()));
  for (let event = 0; event < 5; event++) expect(await isHandedOver()).toBe(false);

  const worker = queue.startWorker('express', async () => undefined);
  await eventually(isHandedOver, { withinMs: 20_000 });

  await worker.close();
  await queue.close();
});
