// @module-tag long
import { beforeAll, describe, expect, it } from 'vitest';
import { arrivals, recordEvents } from '../faults/traffic.js';
import { deskForFile } from '#test/support/desk-for-file.js';
import type { Desk } from '#test/support/desk.js';
import { eventually } from '#test/support/eventually.js';

describe.concurrent.each(['redis', 'postgres'] as const)(
  'deliveries in one job, on %s',
  { timeout: 60_000 },
  (queue) => {
    const desk = deskForFile({ queue, settings: { WEBHOOK_TIMEOUT_MS: '20000' } });
    beforeAll(async () => {
      await Promise.all([desk.worker(), desk.worker()]);
    });

    it('wait neither for each other nor for their job: a receiver slower than the lease gets one request', async () => {
      const slow = await desk.receiver({ replies: [{ status: 204, afterMs: 13_000 }] });
      const prompt = await desk.receiver();
      await desk.webhook('customer_added', slow.url);
      await desk.webhook('customer_added', prompt.url);

      await recordEvents(desk, 4);

      await prompt.received(4, { withinMs: 8_000 });
      await eventually(async () => (await owed(desk)) === 4);
      await eventually(async () => (await owed(desk)) === 0, { withinMs: 25_000 });
      expect(arrivals([slow, prompt])).toEqual({ events: 8, duplicates: 0 });
    });
  },
);

async function owed({ sql }: Desk): Promise<number> {
  return Number((await sql.query('select count(*) from owed_deliveries')).rows[0].count);
}
