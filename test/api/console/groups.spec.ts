import { Client } from 'pg';
import { afterAll, expect, it } from 'vitest';
import { OAuthDesk } from '../../oauth/support/oauth-desk.js';
import type { Person } from '../../oauth/support/person.js';
import { addGroup, newEmail, startTicket } from '#test/support/desk-records.js';

const oauth = await OAuthDesk.start();
const { desk } = oauth;
afterAll(() => oauth.stop());

async function member() {
  const { email } = await oauth.agent();
  return { email, person: await oauth.person(email) };
}

const railOf = async (person: Person, path = '/inbox'): Promise<string[]> => {
  const { html } = await person.get(path);
  const section = /<section[^>]*id="groups".*?<\/section>/s.exec(html)?.[0] ?? '';
  return [...section.matchAll(/<bdi class="clip">([^<]*)<\/bdi>(?:<span class="count">([^<]*)<)?/g)].map(
    ([, name, count]) => `${name} ${count ?? 0}`,
  );
};
const listed = async (person: Person, query: string): Promise<number[]> => {
  const { html } = await person.get(`/inbox?folder=open&${query}`);
  return [...html.matchAll(/data-ticket="(\d+)"/g)].map(([, number]) => Number(number));
};

it('lists the groups of the agent with the number of open tickets, on every page', async () => {
  const [ana, other] = [await member(), await member()];
  const group = await addGroup(desk, { name: newEmail('Billing & Co'), members: [ana.email] });
  await startTicket(desk, { assigned_group: group.name });
  await startTicket(desk, { assigned_group: group.name, state: 'closed' });
  const shown = [`${group.name.replace('&', '&amp;')} 1`];

  for (const path of ['/inbox', '/customers']) expect(await railOf(ana.person, path)).toEqual(shown);
  expect(await railOf(other.person)).toEqual([]);
});

it('counts the tickets of a group again after each change', async () => {
  const ana = await member();
  const group = await addGroup(desk, { members: [ana.email] });
  const { number } = await startTicket(desk, { assigned_group: group.name });
  expect(await railOf(ana.person)).toEqual([`${group.name} 1`]);
  await startTicket(desk, { assigned_group: group.name });
  expect(await railOf(ana.person)).toEqual([`${group.name} 2`]);
  await desk.client().put(`/v1/tickets/${number}/assigned_group`, { assigned_group: null });
  expect(await railOf(ana.person)).toEqual([`${group.name} 1`]);
});

it('counts a ticket of a group whose change commits after a later one', async () => {
  const ana = await member();
  const group = await addGroup(desk, { members: [ana.email] });
  const [early, late] = [await startTicket(desk, { assigned_group: group.name }), await startTicket(desk)];
  const other = new Client({ connectionString: desk.environment['DATABASE_URL'] });
  await other.connect();
  try {
    await other.query('begin');
    await other.query('update tickets set assigned_group_id = null where account_id = $1 and number = $2', [
      desk.account.id,
      early.number,
    ]);
    await desk.client().put(`/v1/tickets/${late.number}/state`, { state: 'closed' });
    expect(await railOf(ana.person)).toEqual([`${group.name} 1`]);
    await other.query('commit');
    expect(await railOf(ana.person)).toEqual([`${group.name} 0`]);
  } finally {
    await other.end();
  }
});

it('marks the group as the current page, and names the list after it', async () => {
  const ana = await member();
  const group = await addGroup(desk, { members: [ana.email] });
  const { html } = await ana.person.get(`/inbox?folder=open&group=${encodeURIComponent(group.name)}`);

  expect(html).toContain(`<h1 class="clip" dir="auto">${group.name}</h1>`);
  expect(html.match(/class="item" aria-current="page"/g)).toHaveLength(1);
});

it('lists at most ten groups', async () => {
  const ana = await member();
  for (let count = 0; count < 11; count++) await addGroup(desk, { members: [ana.email] });

  expect(await railOf(ana.person)).toHaveLength(10);
});

it('filters tickets by group, in any case, and by none', async () => {
  const ana = await member();
  const group = await addGroup(desk);
  const [one, two] = [await startTicket(desk, { assigned_group: group.name }), await startTicket(desk)];

  expect(await listed(ana.person, `group=${group.name.toUpperCase()}`)).toEqual([one.number]);
  expect(await listed(ana.person, 'group=none')).toContain(two.number);
  expect(await listed(ana.person, 'group=none')).not.toContain(one.number);
  expect(await listed(ana.person, 'group=unknown')).toEqual([]);
});
