import { beforeAll, expect, it } from 'vitest';
import { deskForFile } from '#test/support/desk-for-file.js';
import { startTicket } from '#test/support/desk-records.js';
import { eventually } from '#test/support/eventually.js';

const desk = deskForFile();
beforeAll(async () => {
  await desk.worker();
});

it('sends a paused webhook nothing of an event that another webhook receives at once', async () => {
  const [active, paused] = [await desk.receiver(), await desk.receiver()];
  await desk.webhook('ticket_started', active.url);
  const { id } = await desk.webhook('ticket_started', paused.url);
  await desk.client().patch(`/v1/webhooks/${id}`, { state: 'paused' });

  await startTicket(desk);
  await active.received(1);
  const deliveries = async () => (await desk.client().get(`/v1/webhooks/${id}/deliveries`)).body.deliveries;
  const [delivery] = await eventually(async () => ((await deliveries()).length > 0 ? deliveries() : undefined));
  const received = paused.requests.length;
  await desk.client().patch(`/v1/webhooks/${id}`, { state: 'active' });

  expect(delivery).toMatchObject({ state: 'pending', last_status: null });
  expect(received).toBe(0);
  expect((await paused.received(1))[0]!.headers['webhook-attempt']).toBe('1');
});
