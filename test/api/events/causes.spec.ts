import { beforeAll, describe, expect, it } from 'vitest';
import { deskForFile } from '#test/support/desk-for-file.js';
import { addGroup, newEmail, startTicket } from '#test/support/desk-records.js';
import { eventually } from '#test/support/eventually.js';
import { mailText } from '#test/support/mails.js';
import { seedAgent, seedApplication, seedToken } from '#test/support/seed.js';

const desk = deskForFile();
beforeAll(() => desk.worker({ WEBHOOK_RETRY_SCHEDULE: '0' }));

type Listed = Record<'event' | 'id', string> & Record<'cause' | 'changes' | 'account', Record<string, unknown>>;

/** The newest event of the kind, once it can be seen. */
const newest = (event: string, href: string): Promise<Listed> =>
  eventually(async () => {
    const { events } = (await desk.client().get(`/v1/events?event=${event}&per_page=50`)).body;
    return events.findLast(({ payload }: { payload: Record<string, unknown> }) =>
      JSON.stringify(payload).includes(`${href}"`),
    );
  });

async function applicationToken() {
  const applicationId = await seedApplication(desk.sql, newEmail('Bot'));
  const agentId = desk.account.owner.id;
  return { applicationId, token: await seedToken(desk.sql, { accountId: desk.account.id, agentId, applicationId }) };
}

describe('the cause of an event', () => {
  it('names an application by its client id, and the person for whom it acted', async () => {
    const { applicationId: clientId, token } = await applicationToken();
    const { href } = await startTicket(desk);

    await desk.client(token).post(`${new URL(href).pathname}/messages`, { body: 'From a bot' });

    const { cause, account } = await newest('agent_replied', href);
    expect(cause).toEqual({ type: 'application', client_id: clientId, agent_id: desk.account.owner.id });
    expect(account).toEqual({ id: desk.account.id });
    expect((await desk.client(token).get('/v1/me')).body.token).toBeNull();
  });

  it('names a personal access token by the id that `/v1/me` shows', async () => {
    const { href } = await startTicket(desk);
    const { token } = (await desk.client().get('/v1/me')).body;

    expect((await newest('ticket_started', href)).cause).toEqual({
      type: 'token',
      client_id: token.id,
      agent_id: desk.account.owner.id,
    });
  });

  it('is the customer for an email', async () => {
    const mail = mailText({ From: 'nadia@client.test', Subject: 'From Nadia' });
    const path = `/v1/mailboxes/${desk.account.mailbox.email}/raw`;
    await desk.client().post(path, mail, { 'content-type': 'message/rfc822' });
    const { href } = await eventually(
      async () => (await desk.client().get('/v1/tickets?q=From+Nadia')).body.tickets[0],
    );

    expect((await newest('ticket_started', href)).cause).toEqual({ type: 'customer' });
    expect((await newest('customer_added', 'nadia@client.test')).cause).toEqual({ type: 'customer' });
  });

  it('shows values before and after, each in the event that is about them', async () => {
    const noor = await seedAgent(desk.sql, desk.account.id);
    const { name: group } = await addGroup(desk);
    const { href, number } = await startTicket(desk, { tags: ['お客様'], priority: 'low' });
    const wanted = { assignee: noor.email, assigned_group: group, tags: ['عاجل'], priority: 'low', state: 'closed' };

    await desk.client().patch(`/v1/tickets/${number}`, wanted);

    expect((await newest('ticket_assigned', href)).changes).toEqual({
      assignee: [null, noor.email],
      assigned_group: [null, group],
    });
    expect((await newest('ticket_tagged', href)).changes).toEqual({ tags: [['お客様'], ['عاجل']] });
    expect((await newest('ticket_closed', href)).changes).toEqual({ state: ['unread', 'closed'] });
    expect((await newest('ticket_started', href)).changes).toEqual({});
  });

  it('shows the state that a reply changed', async () => {
    const { href, number } = await startTicket(desk);
    await desk.client().post(`/v1/tickets/${number}/messages`, { body: 'Done.' });

    expect((await newest('ticket_opened', href)).changes).toEqual({ state: ['unread', 'opened'] });
  });
});

describe('a delivery', () => {
  const TRACE = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';

  it.each([
    ['at once', 204],
    ['on a retry', 503],
  ])('names account, webhook, cause and trace, %s', async (_when, first) => {
    const receiver = await desk.receiver({ replies: [first, 204] });
    const { applicationId: clientId, token } = await applicationToken();
    const { id } = await desk.webhook('note_added', receiver.url);
    const { number } = await startTicket(desk);
    const note = { body: 'Traced', note: true };

    await desk.client(token).post(`/v1/tickets/${number}/messages`, note, { traceparent: TRACE });
    const requests = await receiver.received(first === 204 ? 1 : 2);

    for (const { headers } of requests)
      expect(headers).toMatchObject({
        'webhook-account': desk.account.id,
        'webhook-endpoint': id,
        'webhook-cause': 'application',
        'webhook-cause-client': clientId,
        'webhook-cause-agent': desk.account.owner.id,
        traceparent: TRACE,
      });
    const [{ id: delivery }] = await eventually(async () => {
      const { deliveries } = (await desk.client().get(`/v1/webhooks/${id}/deliveries?state=delivered`)).body;
      return deliveries.length === 1 && deliveries;
    });
    const { attempts } = (await desk.client().get(`/v1/deliveries/${delivery}`)).body.delivery;
    expect(attempts.at(-1).request_headers).toMatchObject({ traceparent: TRACE, 'webhook-cause': 'application' });
  });

  it.each(['', 'ff-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01', TRACE.toUpperCase(), `${TRACE}-x`])(
    'carries no invalid traceparent (%j)',
    async (traceparent) => {
      const receiver = await desk.receiver();
      await desk.webhook('ticket_started', receiver.url);
      const wanted = { body: 'Hello', from: newEmail(), to: desk.account.mailbox.email };
      expect((await desk.client().post('/v1/tickets', wanted, { traceparent })).status).toBe(201);

      expect((await receiver.received(1))[0]!.headers).not.toHaveProperty('traceparent');
    },
  );
});
