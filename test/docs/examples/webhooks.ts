import type { Desk } from '#test/support/desk.js';
import { eventually } from '#test/support/eventually.js';
import type { ExampleRecorder } from './recorder.js';

/** The worker has to start first, possibly on a busy machine. */
const PATIENCE = { withinMs: 45_000 };

/** A new customer, delivered twice, and a test event. */
const SENT = 2;

interface Named {
  readonly id: string;
  readonly state: string;
}

export async function recordWebhooks(api: ExampleRecorder, desk: Desk): Promise<void> {
  const receiver = await desk.receiver();
  await desk.worker();
  await eventually(() => allMailsProcessed(desk), PATIENCE);
  const { body } = await api.post('/v1/webhooks', { event: 'customer_added', url: `${receiver.url}deskwire` });
  const webhook = `/v1/webhooks/${(body as { webhook: Named }).webhook.id}`;
  await api.post('/v1/webhooks/preview', { event: 'ticket_started', filter: 'is:unread -tag:spam' });
  await api.get('/v1/webhooks');
  const keyed = { event: 'ticket_closed', url: `${receiver.url}billing`, name: 'Billing', state: 'paused' };
  const { body: made } = await desk.client().put('/v1/webhooks/by-key/billing', keyed);
  await api.put('/v1/webhooks/by-key/billing', { ...keyed, authentication: { type: 'bearer', token: 'a1b2c3d4' } });
  await desk.client().delete(`/v1/webhooks/${(made as { webhook: Named }).webhook.id}`);
  await api.get(webhook);
  await api.get(`${webhook}/secret`);
  await deliveries(api, desk, webhook);
  await replays(api, desk, webhook);
  await events(api);
  await api.post(`${webhook}/secret/rotate`);
  await api.patch(webhook, { state: 'paused' });
  await api.delete(webhook);
}

/** Returns whether every email is processed: a waiting one might add a customer, and send the webhook its event. */
async function allMailsProcessed(desk: Desk): Promise<boolean> {
  const { body } = await desk.client().get('/v1/arrivals?state=waiting');
  return (body as { arrivals: Named[] }).arrivals.length === 0;
}

async function deliveries(api: ExampleRecorder, desk: Desk, webhook: string): Promise<void> {
  await desk.client().post('/v1/customers', { email: 'lena@client.example', name: 'Lena Brandt' });
  const delivered = async () => {
    const { body } = await desk.client().get(`${webhook}/deliveries?state=delivered`);
    return (body as { deliveries: Named[] }).deliveries[0];
  };
  const { id } = await eventually(delivered, PATIENCE);
  await api.get(`${webhook}/deliveries?state=delivered`);
  await api.get('/v1/deliveries?event=customer_added&standing=delivered');
  await api.get(`/v1/deliveries/${id}`);
  await api.get(`${webhook}/statistics?hours=24`);
  await api.post(`/v1/deliveries/${id}/redeliver`);
  await api.post(`${webhook}/test`);
}

async function replays(api: ExampleRecorder, desk: Desk, webhook: string): Promise<void> {
  const allDelivered = async () => {
    const answer = await desk.client().get(`${webhook}/deliveries`);
    const { deliveries: all } = answer.body as { deliveries: Named[] };
    return all.length >= SENT && all.every(({ state }) => state === 'delivered');
  };
  await eventually(allDelivered, PATIENCE);
  await api.get(`${webhook}/replay?only=undelivered`);
  const { body } = await api.post(`${webhook}/replay`, { only: 'all' });
  const { id } = (body as { replay: Named }).replay;
  const ended = async () => {
    const answer = await desk.client().get(`/v1/replays/${id}`);
    return !['counting', 'running'].includes((answer.body as { replay: Named }).replay.state);
  };
  await eventually(ended, PATIENCE);
  await api.get(`/v1/replays/${id}`);
  await api.get('/v1/replays');
  await eventually(allDelivered, PATIENCE);
  await api.get('/v1/replays/preview?only=all');
  await api.post('/v1/replays', { only: 'all', event: 'ticket_started' });
  await api.get(`${webhook}/replays`);
  await api.post(`/v1/replays/${id}/cancel`);
}

async function events(api: ExampleRecorder): Promise<void> {
  const { body } = await api.get('/v1/events?event=customer_added&per_page=1');
  await api.get(`/v1/events/${(body as { events: Named[] }).events[0]!.id}`);
  await api.get('/v1/event_kinds?per_page=1');
}
