import { beforeAll, describe, expect, it } from 'vitest';
import { deskForFile } from '#test/support/desk-for-file.js';
import { verify } from '#test/support/receiver.js';

const newTicket = (subject: string) => ({ body: 'It broke.', from: 'c@example.com', to: 'support@acme.test', subject });

describe.each(['redis', 'postgres'] as const)('delivery with the queue on %s', (queue) => {
  const desk = deskForFile({ queue });
  beforeAll(async () => {
    await desk.worker();
  });

  it('carries a signed event to the receiver', async () => {
    const receiver = await desk.receiver();
    const webhook = await desk.webhook('ticket_started', receiver.url);

    await desk.client().post('/v1/tickets', newTicket('First'));

    const [request] = await receiver.received(1);
    expect(request!.json).toMatchObject({ title: 'First' });
    expect(request!.headers).toMatchObject({ 'webhook-event': 'ticket_started', 'webhook-attempt': '1' });
    verify(request!, webhook.secret);
  });

  it('retries until the receiver accepts', async () => {
    const receiver = await desk.receiver({ replies: [503, 500, 200] });
    await desk.webhook('customer_added', receiver.url);

    await desk.client().post('/v1/tickets', { ...newTicket('Second'), from: `${queue}@example.com` });

    const requests = await receiver.received(3);
    expect(requests.map(({ headers }) => headers['webhook-attempt'])).toEqual(['1', '2', '3']);
    expect(new Set(requests.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
    expect(new Set(requests.map(({ body }) => body)).size).toBe(1);
  });
});
