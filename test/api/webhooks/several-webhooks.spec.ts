import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { deskForFile } from '#test/support/desk-for-file.js';
import { startTicket } from '#test/support/desk-records.js';
import { verify } from '#test/support/receiver.js';

const desk = deskForFile({ settings: { WEBHOOKS_PER_ACCOUNT: '4' } });

const create = (fields: object) => desk.client().post('/v1/webhooks', { url: 'https://receiver.example/', ...fields });
const count = async (): Promise<number> => (await desk.client().get('/v1/webhooks')).body.meta.pagination.total_count;

describe('a request for several webhooks', () => {
  it('creates one for each kind of event, and signs their deliveries with the given secret', async () => {
    const receiver = await desk.receiver();
    await desk.worker();
    const secret = `whsec_${randomBytes(24).toString('base64')}`;
    const events = ['customer_added', 'ticket_started'];

    const answer = await create({ events, url: receiver.url, secret });
    const { webhooks } = answer.body;
    await startTicket(desk);
    const [request] = await receiver.received(2);

    expect(answer.status).toBe(201);
    expect(answer.headers.get('location')).toMatch(/\/v1\/webhooks$/);
    expect(webhooks.map(({ event }: { event: string }) => event)).toEqual(events);
    expect(webhooks.map((webhook: { secret: string }) => webhook.secret)).toEqual([secret, secret]);
    verify(request!, secret);
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
    ['a secret that is not base64', { event: 'ticket_opened', secret: `whsec_${'?'.repeat(40)}` }, 'secret'],
  ])('returns 422 with %s', async (_what, fields, field) => {
    const { status, body } = await create(fields);

    expect([status, body.errors[0].field]).toEqual([422, field]);
    expect(JSON.stringify(body)).not.toContain('whsec_?');
  });
});
