// @module-tag long
import { beforeAll, describe, expect, it } from 'vitest';
import { recordEvents } from '../faults/traffic.js';
import { deskForFile } from '#test/support/desk-for-file.js';
import { eventually } from '#test/support/eventually.js';
import type { Receiver } from '#test/support/receiver.js';

const desk = deskForFile();
let receiver: Receiver;
beforeAll(async () => {
  receiver = await desk.receiver({ replies: [{ status: 204, afterMs: 5 }] });
});

describe('one event', { timeout: 120_000 }, () => {
  it('reaches each of 300 webhooks once, by two workers that share them', async () => {
    const urls = Array.from({ length: 300 }, (_, n) => `${receiver.url}${n}`);
    while (urls.length > 0) await Promise.all(urls.splice(0, 30).map((url) => desk.webhook('customer_added', url)));
    const workers = [await desk.worker({ LOG_LEVEL: 'info' }), await desk.worker({ LOG_LEVEL: 'info' })];
    for (const worker of workers) await eventually(() => worker.output().includes('the worker is running'));

    await recordEvents(desk, 1);

    await receiver.received(300, { withinMs: 60_000 });
    expect(new Set(receiver.requests.map(({ path }) => path)).size).toBe(300);
    expect(receiver.requests).toHaveLength(300);

    // One worker may take all of an event before the other fetches work.
    const haveShared = () => workers.every((worker) => worker.output().includes('"msg":"attempt"'));
    for (let events = 2; !haveShared(); events++) {
      expect(events).toBeLessThan(50);
      await recordEvents(desk, 1);
      await receiver.received(300 * events, { withinMs: 30_000 });
    }
  });
});
