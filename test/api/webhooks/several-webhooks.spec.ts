import { createHmac, randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { deskForFile } from '#test/support/desk-for-file.js';
import { startTicket } from '#test/support/desk-records.js';

const desk = deskForFile({ settings: { WEBHOOKS_PER_ACCOUNT: '8' } });

const secretOf = (bytes: number): string => `whsec_${randomBytes(bytes).toString('base64')}`;
const create = (fields: object) => desk.client().post('/v1/webhooks', { url: 'https://receiver.example/', ...fields });
const count = async (): Promise<number> => (await desk.client().get('/v1/webhooks')).body.meta.pagination.total_count;

describe('a request for several webhooks', () => {
  it('creates one for each kind of event, and signs their deliveries with the given secret', async () => {
    const receiver = await desk.receiver();
    await desk.worker();
    const secret = secretOf(24);
    const events = ['customer_added', 'ticket_started'];

    const answer = await create({ events, url: receiver.url, secret });
    const { webhooks } = answer.body;
    await startTicket(desk);
    const [request] = await receiver.received(2);

    expect(answer.status).toBe(201);
    expect(answer.headers.get('location')).toMatch(/\/v1\/webhooks$/);
    expect(webhooks.map(({ event }: { event: string }) => event)).toEqual(events);
    expect(webhooks.map((webhook: { secret: string }) => webhook.secret)).toEqual([secret, secret]);
    const { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signature } = request!.headers;
    const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
    const signed = createHmac('sha256', key)
      .update(`${String(id)}.${String(timestamp)}.${request!.body}`)
      .digest('base64');
    expect(String(signature).split(' ')[0]).toBe(`v1,${signed}`);
  });

  it('creates one secret for all when none is given', async () => {
    const { webhooks } = (await create({ events: ['note_added', 'agent_replied'] })).body;

    expect(webhooks[0].secret).toMatch(/^whsec_/);
    expect(webhooks[1].secret).toBe(webhooks[0].secret);
  });

  it('creates all or none when one exists or they exceed the limit', async () => {
    await create({ event: 'ticket_closed' });
    const before = await count();

    const twice = await create({ events: ['ticket_opened', 'ticket_closed'] });
    const tooMany = await create({ events: ['ticket_opened', 'ticket_moved', 'ticket_tagged', 'ticket_deleted'] });

    expect(twice.body.errors).toMatchObject([{ field: 'url', code: 'already_registered' }]);
    expect([tooMany.status, tooMany.body.error]).toEqual([409, 'too_many_webhooks']);
    expect(await count()).toBe(before);
  });

  it.each([
    ['neither event nor events', {}, 'event'],
    ['both event and events', { event: 'note_added', events: ['ticket_opened'] }, 'events'],
    ['an empty list', { events: [] }, 'events'],
    ['an unknown kind', { events: ['ticket_opened', 'bogus'] }, 'events'],
    ['a kind twice', { events: ['ticket_opened', 'ticket_opened'] }, 'events'],
    ['a short secret', { event: 'ticket_opened', secret: secretOf(23) }, 'secret'],
    ['a long secret', { event: 'ticket_opened', secret: secretOf(65) }, 'secret'],
    ['a secret without its prefix', { event: 'ticket_opened', secret: randomBytes(32).toString('base64') }, 'secret'],
    ['a secret that is not base64', { event: 'ticket_opened', secret: `whsec_${'?'.repeat(40)}` }, 'secret'],
  ])('returns 422 with %s', async (_what, fields, field) => {
    const { status, body } = await create(fields);

    expect([status, body.errors[0].field]).toEqual([422, field]);
    expect(JSON.stringify(body)).not.toContain('whsec_?');
  });
});
