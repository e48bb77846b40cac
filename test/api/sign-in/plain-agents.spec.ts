import { beforeEach, describe, expect, it } from 'vitest';
import type { ApiClient } from '#test/support/api-client.js';
import { deskForFile } from '#test/support/desk-for-file.js';
import { newEmail, startTicket } from '#test/support/desk-records.js';
import { mailText } from '#test/support/mails.js';
import { type SeededAgent, seedAgent, seedApplication, seedToken } from '#test/support/seed.js';
import { formOf, postFiles } from '#test/support/upload.js';

const desk = deskForFile();

const REFUSED = [403, 'role_not_allowed'];
const ACTIVE = { event: 'ticket_started', url: 'https://receiver.example/' };

let agent: SeededAgent;
let own: ApiClient;
let throughApplication: ApiClient;
let tokens: readonly string[];
beforeEach(async () => {
  agent = await seedAgent(desk.sql, desk.account.id, { role: 'agent' });
  own = desk.client(agent.token);
  const applicationId = await seedApplication(desk.sql, newEmail('application'));
  const token = await seedToken(desk.sql, { accountId: desk.account.id, agentId: agent.id, applicationId });
  throughApplication = desk.client(token);
  tokens = [agent.token, token];
});

/** Writes a message and attaches a file to it. */
async function attachTo(token: string, wanted: { author: string; note?: boolean }) {
  const { number } = await startTicket(desk);
  const written = await desk.client().post(`/v1/tickets/${number}/messages`, { body: 'Hello', ...wanted });
  const { id } = written.body.message;
  const { status, body } = await postFiles(desk, id, formOf([{ name: 'invoice.pdf', bytes: 'Pay here' }]), { token });
  const { attachments } = (await desk.client().get(`/v1/messages/${id}`)).body.message;
  return [status, body.error, attachments.length];
}

describe('an agent without a managing role', () => {
  it('writes as themselves and as a customer, but not as a colleague', async () => {
    const { number } = await startTicket(desk);
    const path = `/v1/tickets/${number}/messages`;
    const { owner } = desk.account;

    for (const client of [own, throughApplication]) {
      for (const author of [owner.email, owner.email.toUpperCase(), owner.id])
        for (const note of [true, false]) {
          const { status, body } = await client.post(path, { body: 'Signed, the owner', author, note });
          expect([status, body.error]).toEqual(REFUSED);
        }
      for (const author of [undefined, agent.email, agent.id, newEmail('customer')])
        expect((await client.post(path, { body: 'Hello', author })).status).toBe(201);
    }
    const { messages } = (await desk.client().get(path)).body;
    expect(messages.some(({ body }: { body: string }) => body === 'Signed, the owner')).toBe(false);
  });

  it('starts tickets as themselves and as a customer, but not as a colleague', async () => {
    const { mailbox, owner } = desk.account;
    const customer = newEmail('customer');

    const forged = await own.post('/v1/tickets', { body: 'Hello', from: owner.email, to: customer });
    const outgoing = await own.post('/v1/tickets', { body: 'Hello', from: agent.email, to: customer });
    const incoming = await own.post('/v1/tickets', { body: 'Hello', from: customer, to: mailbox.email });

    expect([forged.status, forged.body.error]).toEqual(REFUSED);
    expect([outgoing.status, incoming.status]).toEqual([201, 201]);
  });

  it('attaches files to their own messages and to those of customers, but not to a colleague’s', async () => {
    const { owner } = desk.account;

    for (const token of tokens) {
      for (const note of [true, false])
        expect(await attachTo(token, { author: owner.email, note })).toEqual([...REFUSED, 0]);
      for (const author of [agent.email, newEmail('customer')])
        expect(await attachTo(token, { author })).toEqual([201, undefined, 1]);
    }
  });

  it('delivers no raw email, whose headers could name a colleague', async () => {
    const path = `/v1/mailboxes/${desk.account.mailbox.email}/raw`;
    for (const client of [own, throughApplication]) {
      const { status, body } = await client.post(path, mailText({}), { 'content-type': 'message/rfc822' });
      expect([status, body.error]).toEqual(REFUSED);
    }
  });

  it('creates webhooks through an application only, not with a personal token', async () => {
    const refused = await own.post('/v1/webhooks', ACTIVE);
    const made = await throughApplication.post('/v1/webhooks', ACTIVE);

    expect([refused.status, refused.body.error]).toEqual(REFUSED);
    expect(made.status).toBe(201);
    expect((await own.get('/v1/webhooks')).body.webhooks).toEqual([]);
  });
});

describe('a manager, and an application with access from a manager', () => {
  it.each(['owner', 'admin'] as const)('writes in the name of any agent: %s', async (role) => {
    const manager = await seedAgent(desk.sql, desk.account.id, { role });
    const applicationId = await seedApplication(desk.sql, newEmail('application'));
    const letIn = await seedToken(desk.sql, { accountId: desk.account.id, agentId: manager.id, applicationId });
    const { number } = await startTicket(desk);

    for (const token of [manager.token, letIn]) {
      const wanted = { body: 'For a colleague', author: agent.email };
      expect((await desk.client(token).post(`/v1/tickets/${number}/messages`, wanted)).status).toBe(201);
      const ticket = { body: 'For a colleague', from: agent.email, to: newEmail('customer') };
      expect((await desk.client(token).post('/v1/tickets', ticket)).status).toBe(201);
      expect(await attachTo(token, { author: agent.email })).toEqual([201, undefined, 1]);
    }
  });
});
