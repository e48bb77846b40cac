import { beforeEach, describe, expect, it } from 'vitest';
import { recordEvents } from '../faults/traffic.js';
import { deskForFile } from '#test/support/desk-for-file.js';
import { startTicket } from '#test/support/desk-records.js';
import { eventually } from '#test/support/eventually.js';

const desk = deskForFile({ settings: { WEBHOOK_RETRY_SCHEDULE: '600' } });
beforeEach(() => desk.sql.query('delete from outbox; delete from owed_deliveries; delete from webhooks'));

const isOlderThan = (seconds: number) => async () => (await readGauges()).oldest > seconds;

/** Reads the API, which exports the gauges whether or not a worker runs. */
async function readGauges(): Promise<{ oldest: number; count: number }> {
  const text = await (await fetch(`${desk.base}/metrics`)).text();
  const read = (name: string) => Number(new RegExp(`^deskwire_due_${name}\\S* (\\S+)$`, 'm').exec(text)?.[1]);
  return { oldest: read('oldest_seconds'), count: read('deliveries') };
}

/**
 * Returns the count after a ticket adds events that wait for their relay to the three earlier ones. If the earlier ones
 * counted as well, it would be higher.
 */
async function countAfterTicket(count: number): Promise<number> {
  const receiver = await desk.receiver();
  await desk.webhook('ticket_started', receiver.url);
  await startTicket(desk);
  return eventually(async () => {
    const { count: read } = await readGauges();
    return read >= count && read < 3 + count && read;
  });
}

describe('the gauges of due deliveries', () => {
  it('count events that no worker has turned into deliveries', async () => {
    const receiver = await desk.receiver();
    await desk.webhook('customer_added', receiver.url);
    await desk.webhook('customer_added', `${receiver.url}second`);
    await recordEvents(desk, 3);

    await eventually(isOlderThan(1.5));
    expect((await readGauges()).count).toBe(6);
  });

  it('count deliveries in the queue of a stopped worker', { timeout: 30_000 }, async () => {
    const receiver = await desk.receiver({ replies: [{ status: 204, afterMs: 400 }] });
    await desk.webhook('customer_added', receiver.url);
    const worker = await desk.worker({ WORKER_CONCURRENCY: '5' });
    await recordEvents(desk, 300, 300);
    const queued = async () => Number((await desk.sql.query('select from owed_deliveries where queued')).rowCount);
    await eventually(async () => (await queued()) > 50);
    worker.signal('SIGSTOP');
    try {
      await desk.sql.query('delete from outbox; delete from owed_deliveries where not queued');

      await eventually(isOlderThan(4));
      expect((await readGauges()).count).toBe(await queued());
    } finally {
      await worker.kill9();
    }
  });

  it.each([
    ['a paused webhook', `update webhooks set state = 'paused'`],
    ['a receiver that asked for a pause', `update webhooks set retry_after_until = now() + interval '1 minute'`],
    ['a receiver that is silent', `update webhooks set slow_until = now() + interval '1 minute'`],
  ])('leave out %s', async (_, change) => {
    const receiver = await desk.receiver();
    await desk.webhook('customer_added', receiver.url);
    await desk.sql.query(change);
    await recordEvents(desk, 3);

    expect(await countAfterTicket(1)).toBe(1);
  });

  it('leave out deliveries that wait for a retry', { timeout: 30_000 }, async () => {
    const receiver = await desk.receiver({ replies: [503] });
    await desk.webhook('customer_added', receiver.url);
    const worker = await desk.worker();
    await recordEvents(desk, 3);
    await eventually(async () => {
      const { rowCount } = await desk.sql.query('select from owed_deliveries where attempts = 1 and not queued');
      return rowCount === 3;
    });
    await worker.stop();

    // The ticket also adds its customer.
    expect(await countAfterTicket(2)).toBe(2);
  });
});
