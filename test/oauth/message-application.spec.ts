import { describe, expect, it } from 'vitest';
import { newEmail, startTicket } from '#test/support/desk-records.js';
import { eventually } from '#test/support/eventually.js';
import { seedApplication, seedToken } from '#test/support/seed.js';
import { oauthDeskForFile } from './support/oauth-desk-for-file.js';

const oauth = oauthDeskForFile();

async function applicationNamed(name: string) {
  const { desk } = oauth;
  const applicationId = await seedApplication(desk.sql, name);
  const { id: accountId, owner } = desk.account;
  const client = desk.client(await seedToken(desk.sql, { accountId, agentId: owner.id, applicationId }));
  return { client, shown: { client_id: applicationId, name } };
}

describe('a message', () => {
  it.each([
    ['a reply', {}],
    ['a note', { note: true }],
    ['a message of a customer', { author: newEmail() }],
    ['a message by the id of its author', { author: 'owner' }],
  ])('names the application that wrote it: %s', async (_what, fields: Record<string, unknown>) => {
    const { client, shown } = await applicationNamed('Claude');
    const { number } = await startTicket(oauth.desk);
    const author = fields['author'] === 'owner' ? { author: oauth.desk.account.owner.id } : {};
    const { body } = await client.post(`/v1/tickets/${number}/messages`, { body: 'Hello', ...fields, ...author });
    const read = await oauth.desk.client().get(`/v1/messages/${body.message.id}`);

    expect(body.message.application).toEqual(shown);
    expect(read.body).toEqual(body);
    expect(Object.keys(body.message).slice(-4)).toEqual(['application', 'ticket_number', 'author_type', 'author_id']);
  });

  it('names the application that started the ticket', async () => {
    const { client, shown } = await applicationNamed('Claude');
    const ticket = { body: 'Hello', from: newEmail(), to: oauth.desk.account.mailbox.email };
    const { number } = (await client.post('/v1/tickets', ticket)).body.ticket;
    const { messages } = (await oauth.desk.client().get(`/v1/tickets/${number}?include=messages`)).body.ticket;

    expect(messages.map(({ application }: { application: unknown }) => application)).toEqual([shown]);
  });

  it('names no application if a personal token or the console wrote it, whatever the body says', async () => {
    const { desk } = oauth;
    const { shown } = await applicationNamed('Claude');
    const { number } = await startTicket(desk, { application_id: shown.client_id, application: shown });
    const written = { body: 'Hello', application_id: shown.client_id, application: shown };
    await desk.client().post(`/v1/tickets/${number}/messages`, written);
    const owner = await oauth.person();
    await owner.act(`/tickets/${number}/messages`, { kind: 'note', body: 'From the console', seen: '' });
    const { messages } = (await desk.client().get(`/v1/tickets/${number}/messages`)).body;

    expect(messages.map(({ application }: { application: unknown }) => application)).toEqual([null, null, null]);
  });

  it('shows the present name of the application', async () => {
    const { client, shown } = await applicationNamed('Before');
    const { number } = await startTicket(oauth.desk);
    const { id } = (await client.post(`/v1/tickets/${number}/messages`, { body: 'Hello', note: true })).body.message;
    await oauth.desk.sql.query("update applications set name = 'Now', disabled_at = now() where id = $1", [
      shown.client_id,
    ]);

    const { message } = (await oauth.desk.client().get(`/v1/messages/${id}`)).body;
    expect(message.application).toEqual({ ...shown, name: 'Now' });
  });

  it('names its application in the event of the feed and of the webhook', async () => {
    const { desk } = oauth;
    const receiver = await desk.receiver();
    await desk.worker();
    await desk.webhook('note_added', receiver.url);
    const { client, shown } = await applicationNamed('Claude');
    const { number } = await startTicket(desk);
    const { message } = (await client.post(`/v1/tickets/${number}/messages`, { body: 'Hello', note: true })).body;

    const [received] = await receiver.received(1);
    expect(received!.json['application']).toEqual(shown);
    const payloads = await eventually(async () => {
      const { events } = (await desk.client().get('/v1/events?per_page=50')).body;
      const found = events.filter(({ payload }: { payload: { id: string } }) => payload.id === message.id);
      return found.length > 0 && found.map(({ payload }: { payload: unknown }) => payload);
    });
    expect(payloads).toEqual([message]);
  });
});

it('isolates the name of an application in the thread, because a stranger may have chosen it', async () => {
  const { client } = await applicationNamed('<b>\u202Eedualc & ريم');
  const { number } = await startTicket(oauth.desk);
  await client.post(`/v1/tickets/${number}/messages`, { body: 'Hello', note: true });
  const { html } = await (await oauth.person()).get(`/tickets/${number}`);

  expect(html).toContain('via <bdi>&lt;b>\u202Eedualc &amp; ريم</bdi>');
});
