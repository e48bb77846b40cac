import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { deskForFile } from '#test/support/desk-for-file.js';
import { startTicket } from '#test/support/desk-records.js';
import { eventually } from '#test/support/eventually.js';
import { insertPastDeliveries } from '#test/support/past-deliveries.js';

const desk = deskForFile({ settings: { WEBHOOK_RETRY_SCHEDULE: '3600,3600' } });

const newWebhook = async (url = `https://receiver.example/${randomUUID()}`) =>
  (await desk.webhook('ticket_started', url)).id;
const setState = (id: string, state: string) => desk.client().patch(`/v1/webhooks/${id}`, { state });
const read = async (id: string) => (await desk.client().get(`/v1/deliveries/${id}`)).body.delivery;
const standing = async (id: string): Promise<string> => (await read(id)).standing;
const found = async (webhook: string, standings: string): Promise<string[]> => {
  const { body } = await desk.client().get(`/v1/webhooks/${webhook}/deliveries?standing=${standings}`);
  return body.deliveries.map(({ id }: { id: string }) => id);
};

describe('a pending delivery of a paused webhook', () => {
  it('is held with no next attempt, before and after its first attempt, until the webhook is resumed', async () => {
    const webhook = await newWebhook();
    const [waiting, retrying, delivered] = await insertPastDeliveries(desk, webhook, [
      'pending',
      'pending',
      'delivered',
    ]);
    await desk.sql.query('update deliveries set next_attempt_at = now(), attempts = attempts - $2 where id = $1', [
      waiting,
      1,
    ]);
    await desk.sql.query('update deliveries set next_attempt_at = now() where id = $1', [retrying]);

    await setState(webhook, 'paused');
    for (const id of [waiting, retrying])
      expect(await read(id!)).toMatchObject({ state: 'pending', standing: 'held', next_attempt_at: null });
    const { body } = await desk.client().get(`/v1/webhooks/${webhook}/deliveries`);
    expect(body.deliveries.map((one: { standing: string }) => one.standing)).toEqual(['delivered', 'held', 'held']);
    expect(body.deliveries.map((one: { next_attempt_at: unknown }) => one.next_attempt_at)).toEqual([null, null, null]);
    expect(await found(webhook, 'held')).toEqual([retrying, waiting]);
    expect(await found(webhook, 'waiting,retrying')).toEqual([]);
    expect(await found(webhook, 'delivered')).toEqual([delivered]);

    await setState(webhook, 'active');
    expect([await standing(waiting!), await standing(retrying!)]).toEqual(['waiting', 'retrying']);
    expect((await read(waiting!)).next_attempt_at).not.toBeNull();
    expect(await found(webhook, 'held')).toEqual([]);
  });

  it('is held at once when it is a test event', async () => {
    const webhook = await newWebhook();
    await setState(webhook, 'paused');

    const { body } = await desk.client().post(`/v1/webhooks/${webhook}/test`);

    expect(body.delivery).toMatchObject({ standing: 'held', next_attempt_at: null });
  });
});

describe('a redelivered success', () => {
  it('stays delivered until its new attempt ends', async () => {
    const receiver = await desk.receiver({ replies: [204, 500] });
    const webhook = await newWebhook(receiver.url);
    const worker = await desk.worker();
    await startTicket(desk);
    const id = await eventually(async () => (await found(webhook, 'delivered'))[0]);
    await worker.stop();

    const { body } = await desk.client().post(`/v1/deliveries/${id}/redeliver`);
    expect(body.delivery).toMatchObject({ state: 'pending', standing: 'delivered', last_status: 204 });
    expect(await found(webhook, 'delivered')).toEqual([id]);
    expect(await found(webhook, 'waiting,retrying,held')).toEqual([]);

    await desk.worker();
    await eventually(async () => (await standing(id)) === 'retrying');
    expect(await found(webhook, 'retrying')).toEqual([id]);
  });
});
