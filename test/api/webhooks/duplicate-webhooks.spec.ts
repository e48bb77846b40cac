import { describe, expect, it } from 'vitest';
import type { ApiClient } from '#test/support/api-client.js';
import { deskForFile } from '#test/support/desk-for-file.js';
import { seedAgent, seedApplication, seedToken } from '#test/support/seed.js';

const desk = deskForFile();

const post = (client: ApiClient, event: string, url: string) => client.post('/v1/webhooks', { event, url });

describe('a second webhook for the same event and URL', () => {
  const refused = [422, [{ field: 'url', code: 'already_registered' }]];

  it('returns 422 for every spelling of the URL, and the first keeps its own', async () => {
    const first = await post(desk.client(), 'ticket_moved', 'https://Once.Example');
    const spellings = [
      'https://once.example/',
      'HTTPS://once.example:443',
      'https://once.example./',
      'https://once.example?',
    ];

    for (const url of spellings) {
      const { status, body } = await post(desk.client(), 'ticket_moved', url);
      expect([status, body.errors]).toMatchObject(refused);
    }
    expect(first.body.webhook.url).toBe('https://Once.Example');
  });

  it('returns 201 when the kind, the scheme, the port, the path or the query differs', async () => {
    const others = [
      'http://twice.example/',
      'https://twice.example:8443/',
      'https://twice.example/a',
      'https://twice.example/?a=1',
    ];
    for (const url of ['https://twice.example/', ...others])
      expect((await post(desk.client(), 'ticket_moved', url)).status).toBe(201);
    expect((await post(desk.client(), 'ticket_tagged', 'https://twice.example/')).status).toBe(201);
  });

  it('returns 201 for another agent or application, and 422 for the same application', async () => {
    const url = 'https://receiver.example/shared';
    const applicationId = await seedApplication(desk.sql, 'Shared');
    const agent = await seedAgent(desk.sql, desk.account.id, { role: 'admin' });
    const tokenOf = (agentId: string) => seedToken(desk.sql, { accountId: desk.account.id, agentId, applicationId });
    const clients = [desk.client(), desk.client(agent.token), desk.client(await tokenOf(agent.id))];

    for (const client of clients) expect((await post(client, 'ticket_moved', url)).status).toBe(201);
    const again = await post(desk.client(await tokenOf(desk.account.owner.id)), 'ticket_moved', url);
    expect([again.status, again.body.errors]).toMatchObject(refused);
  });

  it('names all webhooks that are in the way, and none of others', async () => {
    const url = 'https://receiver.example/clashes';
    const events = ['ticket_closed', 'ticket_opened'];
    const { webhooks } = (await desk.client().post('/v1/webhooks', { events, url })).body;
    const other = await seedAgent(desk.sql, desk.account.id, { role: 'admin' });
    const free = await post(desk.client(other.token), 'ticket_closed', url);
    const { status, body } = await desk.client().post('/v1/webhooks', { events: ['ticket_moved', ...events], url });
    const moved = await post(desk.client(), 'ticket_opened', 'https://receiver.example/elsewhere');
    const patched = await desk.client().patch(`/v1/webhooks/${moved.body.webhook.id}`, { url });
    const named = webhooks.map(({ id, href, event }: Record<string, string>) => ({ id, href, event }));

    expect([status, free.status]).toEqual([422, 201]);
    expect(body.existing).toEqual(named);
    expect(body.errors[0].message).toContain('ticket_closed, ticket_opened');
    expect(patched.body.existing).toEqual([named[1]]);
  });

  it('returns 422 when a URL changes, and 200 after the first is deleted', async () => {
    const { webhook: first } = (await post(desk.client(), 'ticket_started', 'https://receiver.example/first')).body;
    const { webhook: second } = (await post(desk.client(), 'ticket_started', 'https://receiver.example/second')).body;
    const move = (url: string) => desk.client().patch(`/v1/webhooks/${second.id}`, { url });

    const { status, body } = await move(first.url);
    expect([status, body.errors]).toMatchObject(refused);
    expect((await desk.client().get(`/v1/webhooks/${second.id}`)).body.webhook.url).toBe(second.url);
    await desk.client().delete(`/v1/webhooks/${first.id}`);
    expect((await move(first.url)).status).toBe(200);
    expect((await post(desk.client(), 'ticket_started', second.url)).status).toBe(201);
  });
});
