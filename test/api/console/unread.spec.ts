import { afterAll, describe, expect, it } from 'vitest';
import { OAuthDesk } from '../../oauth/support/oauth-desk.js';
import type { Person } from '../../oauth/support/person.js';
import { inviteAgent, ticketFromAna } from '#test/support/desk-records.js';

const oauth = await OAuthDesk.start();
const owner = await oauth.person();
const colleague = await oauth.colleague('agent');
afterAll(() => oauth.stop());

const ROW = /<li class="([^"]*)"[^>]*id="row-(\d+)"/g;

async function isUnread(number: number, by: Person, folder = 'open'): Promise<boolean | undefined> {
  const { html } = await by.get(`/inbox?folder=${folder}`);
  const row = [...html.matchAll(ROW)].find(([, , shown]) => Number(shown) === number);
  return row?.[1]!.split(' ').includes('unread');
}

const write = (number: number, fields: object) => oauth.desk.client().post(`/v1/tickets/${number}/messages`, fields);

describe('the list', () => {
  it('shows a ticket as unread to each agent who has not seen its newest message', async () => {
    const number = await ticketFromAna(oauth.desk);
    expect([await isUnread(number, owner), await isUnread(number, colleague)]).toEqual([true, true]);

    await owner.get(`/tickets/${number}`);
    expect([await isUnread(number, owner), await isUnread(number, colleague)]).toEqual([false, true]);

    await write(number, { body: 'Still broken', author: 'ana@client.example' });
    expect(await isUnread(number, owner)).toBe(true);
  });

  it('shows a ticket as read after the agent’s own message', async () => {
    const number = await ticketFromAna(oauth.desk);
    await owner.get(`/tickets/${number}`);
    await colleague.get(`/tickets/${number}`);
    await write(number, { body: 'A note', note: true });

    expect([await isUnread(number, owner), await isUnread(number, colleague)]).toEqual([false, true]);
  });

  it('shows closed tickets as read to all agents', async () => {
    const number = await ticketFromAna(oauth.desk, { state: 'closed' });

    expect([await isUnread(number, owner, 'closed'), await isUnread(number, colleague, 'closed')]).toEqual([
      false,
      false,
    ]);
  });
});

describe('an invited agent', () => {
  it('appears in no choice of assignees or group members', async () => {
    const { email } = await inviteAgent(oauth.desk, { first_name: 'Priya' });
    const number = await ticketFromAna(oauth.desk);
    await oauth.desk.client().post('/v1/groups', { name: 'Second line' });

    for (const path of [`/tickets/${number}`, '/inbox', '/settings/groups'])
      expect((await owner.get(path)).html).not.toContain(email);
  });
});

describe('a search with an unknown operator', () => {
  it.each([
    ['asignee:me', 'There is no operator asignee:. Did you mean assignee:?'],
    ['foo:bar', 'There is no operator foo:. It was searched as text.'],
  ])('names it and searches the text: %s', async (q, hint) => {
    const number = await ticketFromAna(oauth.desk, { body: `The log says ${q}` });
    const { html } = await owner.get(`/inbox?q=${encodeURIComponent(q)}`);

    expect(html).toContain(hint);
    expect(html).toContain(`id="row-${number}"`);
  });

  it('does not take a link for an operator', async () => {
    expect((await owner.get('/inbox?q=https://shop.example')).html).not.toContain('There is no operator');
  });
});
