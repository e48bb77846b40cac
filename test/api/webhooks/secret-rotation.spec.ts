import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { deskForFile } from '#test/support/desk-for-file.js';
import { startTicket } from '#test/support/desk-records.js';
import { verify } from '#test/support/receiver.js';
import { seedAgent } from '#test/support/seed.js';
import { letApplicationIn, registerWebhook } from '#test/support/webhooks.js';

const desk = deskForFile();
const newSecret = () => `whsec_${randomBytes(32).toString('base64')}`;

const rotate = (id: string, body?: object, client = desk.client(), headers = {}) =>
  client.post(`/v1/webhooks/${id}/secret/rotate`, body, headers);
const secretsOf = async (id: string): Promise<string[]> =>
  (await desk.client().get(`/v1/webhooks/${id}/secret`)).body.secrets.map((one: { secret: string }) => one.secret);

describe('a rotation', () => {
  it('takes the secret and the overlap of the request', async () => {
    const { id, secret: first } = await registerWebhook(desk.client());
    const [second, third] = [newSecret(), newSecret()];
    const { secrets } = (await rotate(id, { secret: second, overlap_hours: 168 })).body;

    expect(secrets.map((one: { secret: string }) => one.secret)).toEqual([second, first]);
    expect(Date.parse(secrets[1].expires_at) - Date.parse(secrets[0].created_at)).toBe(168 * 3_600_000);
    await rotate(id, { secret: third, overlap_hours: 0 });
    expect(await secretsOf(id)).toEqual([third]);
  });

  it('signs with the new secret alone when the old one ends at once', async () => {
    const receiver = await desk.receiver();
    const { id, secret } = await registerWebhook(desk.client(), 'ticket_started', receiver.url);
    const next = newSecret();
    await rotate(id, { secret: next, overlap_hours: 0 });
    await desk.worker();
    await startTicket(desk);
    const [request] = await receiver.received(1);

    verify(request!, next);
    expect(() => verify(request!, secret)).toThrow('No matching signature found');
  });

  it('covers the webhooks of one request together, and no others', async () => {
    const url = 'https://receiver.example/together';
    const events = ['ticket_closed', 'ticket_opened', 'note_added'];
    const { webhooks } = (await desk.client().post('/v1/webhooks', { events, url })).body;
    const ids: string[] = webhooks.map(({ id }: { id: string }) => id);
    const alone = await registerWebhook(desk.client(), 'ticket_closed', `${url}/alone`);
    const secret = newSecret();
    const answer = await rotate(ids[1]!, { secret, together: true, overlap_hours: 0 });

    expect(answer.body.secrets).toHaveLength(1);
    expect(await Promise.all(ids.map(secretsOf))).toEqual([[secret], [secret], [secret]]);
    expect(await secretsOf(alone.id)).toEqual([alone.secret]);
    await rotate(ids[0]!, { overlap_hours: 0 });
    expect(await secretsOf(ids[2]!)).toEqual([secret]);
  });

  it('is not for other makers, and answers 412 if the webhook changed', async () => {
    const { id, secret } = await registerWebhook(desk.client());
    const [app, plain] = [
      await letApplicationIn(desk, 'Other'),
      desk.client((await seedAgent(desk.sql, desk.account.id)).token),
    ];
    const etag = (await desk.client().get(`/v1/webhooks/${id}`)).headers.get('etag')!;
    await desk.client().patch(`/v1/webhooks/${id}`, { name: 'New' });
    const late = await rotate(id, { together: true }, desk.client(), { 'if-match': etag });

    expect([(await rotate(id, {}, app)).status, (await rotate(id, {}, plain)).status, late.status]).toEqual([
      404, 404, 412,
    ]);
    expect(await secretsOf(id)).toEqual([secret]);
  });

  it.each([
    ['secret', 'not_a_secret', { secret: 'whsec_short' }],
    ['overlap_hours', 'too_large', { overlap_hours: 169 }],
    ['overlap_hours', 'too_small', { overlap_hours: -1 }],
    ['overlap_hours', 'not_an_integer', { overlap_hours: 1.5 }],
    ['together', 'not_a_boolean', { together: 'perhaps' }],
  ])('answers 422 on %s with %s', async (field, code, body) => {
    const { id } = await registerWebhook(desk.client());
    const answer = await rotate(id, body);

    expect([answer.status, answer.body.errors]).toMatchObject([422, [{ field, code }]]);
  });
});
