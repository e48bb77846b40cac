import { afterAll, expect, it } from 'vitest';
import { startDesk } from '#test/support/desk.js';
import { addGroup, addMailbox, inviteAgent, startTicket } from '#test/support/desk-records.js';
import { insertPastDeliveries } from '#test/support/past-deliveries.js';

const desk = await startDesk({ settings: { PUBLIC_URL: 'https://help.example.com' } });
afterAll(() => desk.stop());

/** Returns the API URLs in a response with their field names. Samples are skipped: they belong to no record. */
function addressesIn(value: unknown, name = ''): { name: string; address: string }[] {
  if (name === 'sample') return [];
  if (typeof value === 'string')
    return /^(href|next_page|prev_page)$/.test(name) || value.startsWith('https://help.example.com/v1/')
      ? [{ name, address: value }]
      : [];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, part]) => addressesIn(part, key));
}

it('returns 200 at every URL in every response', async () => {
  const agent = await inviteAgent(desk, { email: 'a+b%c@acme.test' });
  const [group, mailbox] = [await addGroup(desk, { members: [agent.email] }), await addMailbox(desk)];
  for (let count = 0; count < 30; count++) {
    const from = `Odd.O'Brien+${count}/x@client.test`;
    await startTicket(desk, { from, assignee: agent.email, assigned_group: group.name, mailbox: mailbox.name });
  }
  const { webhook } = (
    await desk.client().post('/v1/webhooks', { event: 'agent_replied', url: 'https://receiver.example/' })
  ).body;
  await insertPastDeliveries(desk, webhook.id, ['delivered']);
  const { replay } = (await desk.client().post(`/v1/webhooks/${webhook.id}/replay`, {})).body;
  await desk.client().post('/v1/tickets/1/messages', { body: 'Hello' });
  await desk.client().delete('/v1/tickets/2');

  const lists = ['tickets', 'folders', 'groups', 'mailboxes', 'agents', 'customers', 'webhooks', 'events'];
  const start = [
    ...lists,
    'me',
    'event_kinds',
    `webhooks/${webhook.id}/deliveries`,
    `replays/${replay.id}`,
    'tickets?folder=deleted',
  ].map((name) => `/v1/${name}`);
  const seen = new Set<string>(start);
  for (const path of seen) {
    const { status, body } = await desk.client().get(path);
    expect({ path, status }).toEqual({ path, status: 200 });
    for (const { name, address } of addressesIn(body)) {
      expect({ name, address }).toEqual({
        name,
        address: expect.stringMatching(/^https:\/\/help\.example\.com\/v1\//),
      });
      seen.add(address.replace('https://help.example.com', ''));
    }
  }

  expect(seen.size).toBeGreaterThan(150);
});

it('returns the record at its href and its links', async () => {
  const { body } = await desk.client().get('/v1/tickets?per_page=50');

  for (const ticket of body.tickets.slice(0, 5)) {
    const read = async (address: string) =>
      (await desk.client().get(address.replace('https://help.example.com', ''))).body;
    expect((await read(ticket.href)).ticket).toEqual(ticket);
    expect((await read(ticket.links.state.href)).state).toBe(ticket.state);
    expect((await read(ticket.links.assignee.href)).agent.email).toBe(ticket.assignee);
    const { customer } = await read(ticket.links.customer.href);
    expect((await read(customer.links.tickets.href)).tickets).toContainEqual(ticket);
    const [message] = (await read(ticket.links.messages.href)).messages;
    expect((await read(message.href)).message).toEqual(message);
    expect((await read(message.links.ticket.href)).ticket).toEqual(ticket);
  }
});
