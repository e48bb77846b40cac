import type { AgentRole } from '#libs/entities';
import { afterAll, describe, expect, it } from 'vitest';
import { OAuthDesk } from '../../oauth/support/oauth-desk.js';
import type { Page, Person } from '../../oauth/support/person.js';
import { newAccount } from '#test/support/account-desk.js';
import { startTicket, ticketFromAna } from '#test/support/desk-records.js';
import { seedAccount } from '#test/support/seed.js';

const oauth = await OAuthDesk.start();
const owner = await oauth.person();
afterAll(() => oauth.stop());

/** Signs in as an agent of a new account. */
const ofNewAccount = async (role: AgentRole): Promise<Person> =>
  oauth.colleague(role, (await seedAccount(oauth.desk.sql)).id);

/** Signs in as two agents of a new account. */
async function pairOfNewAccount(one: AgentRole, other: AgentRole): Promise<[Person, Person]> {
  const { id } = await seedAccount(oauth.desk.sql);
  return [await oauth.colleague(one, id), await oauth.colleague(other, id)];
}

const keep = (by: Person, name: string, query: string, fields: Record<string, string> = {}): Promise<Page> =>
  by.act('/views', { name, query, ...fields });

const VIEW = /data-view="([^"]+)"[^>]*>.*?<bdi class="clip">([^<]*)<\/bdi>(?:<span class="count">([^<]*)<)?/g;

async function railOf(by: Person, path = '/views'): Promise<{ id: string; name: string; count: string | undefined }[]> {
  const { html } = await by.get(path);
  return [...html.matchAll(VIEW)].map(([, id, name, count]) => ({ id: id!, name: name!, count }));
}

const namesOf = async (by: Person): Promise<string[]> => (await railOf(by)).map(({ name }) => name);

describe('a saved view', () => {
  it('appears in the rail of every page with its count, and links to its list', async () => {
    await startTicket(oauth.desk, { body: 'The gyroscope hums' });
    const { number } = await startTicket(oauth.desk, { body: 'Another gyroscope' });
    const { status, location } = await keep(owner, 'Gyroscopes', 'q=gyroscope&cursor=x&unknown=1');

    expect({ status, location }).toEqual({ status: 303, location: '/inbox?q=gyroscope' });
    for (const path of ['/inbox', '/inbox?folder=closed', '/customers', `/tickets/${number}`])
      expect(await railOf(owner, path)).toEqual([{ id: expect.any(String), name: 'Gyroscopes', count: '2' }]);
    const { html } = await owner.get('/inbox?q=gyroscope');
    expect(html).toMatch(/aria-current="page"[^>]*data-view/);
    expect(html).toContain('<h1 class="clip" dir="auto">Gyroscopes</h1>');
    expect(html).not.toContain('Save view');
  });

  it('counts up to 99', async () => {
    const here = await newAccount(oauth.desk);
    const person = await oauth.colleague('agent', here.account.id);
    for (let count = 0; count < 99; count++) await ticketFromAna(here);
    await keep(person, 'All 99', 'folder=open');
    await keep(person, 'Same without a folder', 'q=from:ana');
    expect((await railOf(person)).map(({ count }) => count)).toEqual(['99', '99']);

    await ticketFromAna(here);
    await keep(person, 'One more', 'folder=unassigned');
    expect((await railOf(person)).at(-1)!.count).toBe('99+');
  });

  it('differs from a view with another order', async () => {
    const person = await ofNewAccount('agent');
    await keep(person, 'By urgency', 'sort=priority&folder=open');
    await keep(person, 'Open', 'folder=open&sort=nothing');

    const { html } = await person.get('/inbox?folder=open&sort=priority');
    expect(html).toContain('<h1 class="clip" dir="auto">By urgency</h1>');
    expect((await person.get('/inbox?folder=open')).html).toContain('<h1 class="clip" dir="auto">Open</h1>');
    expect((await person.get('/views')).html).toContain('Open · order: By priority');
  });

  it('belongs to its agent alone, or to the account when it is shared', async () => {
    const [admin, agent] = await pairOfNewAccount('admin', 'agent');
    await keep(admin, 'Private', 'folder=mine');
    await keep(admin, 'Shared', 'folder=open&priority=urgent', { for: 'everybody' });
    const [shared, own] = await railOf(admin);

    expect(await namesOf(admin)).toEqual(['Shared', 'Private']);
    expect(await namesOf(agent)).toEqual(['Shared']);
    expect(await namesOf(owner)).not.toContain('Shared');
    for (const person of [agent, owner]) {
      expect((await person.get(`/views/${own!.id}`)).status).toBe(404);
      expect((await person.act(`/views/${own!.id}`, { name: 'Taken over', place: '1' })).status).toBe(404);
      expect((await person.act(`/views/${own!.id}/delete`, {})).status).toBe(404);
    }
    expect((await owner.act(`/views/${shared!.id}/delete`, {})).status).toBe(404);
    expect(await namesOf(admin)).toEqual(['Shared', 'Private']);
  });

  it('can be changed by owners and admins only, when it is shared', async () => {
    const [admin, agent] = await pairOfNewAccount('admin', 'agent');
    await keep(admin, 'Shared', 'folder=open', { for: 'everybody' });
    const { id } = (await railOf(admin))[0]!;

    expect((await keep(agent, 'Mine for all', 'folder=open', { for: 'everybody' })).status).toBe(403);
    expect((await agent.act(`/views/${id}`, { name: 'Other', place: '1' })).status).toBe(403);
    expect((await agent.act(`/views/${id}/delete`, {})).status).toBe(403);
    expect((await agent.get(`/views/${id}`)).html).not.toContain('Change the view');
    expect((await admin.act(`/views/${id}`, { name: 'Other', place: '1' })).status).toBe(303);
    expect(await namesOf(agent)).toEqual(['Other']);
    expect((await admin.act(`/views/${id}/delete`, {})).status).toBe(303);
    expect(await namesOf(agent)).toEqual([]);
  });

  it.each([
    ['Billing', ' bILLING  '],
    ['緊急の問い合わせ', '緊急の問い合わせ'],
    ['ＶＩＰ', 'vip'],
    ['عملاء في انتظار', 'عملاء في انتظار'],
    ['Übergröße', 'ÜBERGRÖßE'],
  ])('refuses a second view of the same name: %s, %s', async (name, again) => {
    const admin = await ofNewAccount('admin');

    expect((await keep(admin, name, 'q=one')).status).toBe(303);
    const { status, html } = await keep(admin, again, 'q=two');
    expect(status).toBe(409);
    expect(html).toContain('A view with this name already exists');
    expect(html).toContain('value="q=two"');
    expect((await keep(admin, again, 'q=two', { for: 'everybody' })).status).toBe(303);
    expect(await namesOf(admin)).toEqual([again.trim(), name]);
  });

  it.each([
    ['', 'name is missing'],
    ['   ', 'name is missing'],
    ['x'.repeat(61), 'more than 60 characters'],
    ['tab\u0007bell', 'cannot be shown'],
  ])('refuses the name %j', async (name, reason) => {
    const { status, html } = await keep(owner, name, 'q=nameless');
    expect(status).toBe(422);
    expect(html).toContain(reason);
    expect(html).toContain('value="q=nameless"');
  });

  it('stores a long search in any script, or says that it is too long', async () => {
    const person = await ofNewAccount('agent');
    const longest = new URLSearchParams({ q: '検'.repeat(400) }).toString();
    expect((await keep(person, 'Long', longest)).status).toBe(303);
    const { status, html } = await keep(person, 'Longer', new URLSearchParams({ q: '検'.repeat(500) }).toString());
    expect({ status, says: html.includes('too long to be kept') }).toEqual({ status: 422, says: true });
    expect((await person.get(`/inbox?${longest}`)).html).toMatch(/aria-current="page"[^>]*data-view/);
  });

  it('moves to the chosen place in its list', async () => {
    const admin = await ofNewAccount('admin');
    for (const name of ['A', 'B', 'C']) await keep(admin, name, `q=${name}`);
    await keep(admin, 'Shared', 'q=shared', { for: 'everybody' });
    const id = (await railOf(admin)).find(({ name }) => name === 'C')!.id;

    for (const [place, order] of [
      ['1', 'C A B'],
      ['2', 'A C B'],
      ['9', 'A B C'],
      ['-7', 'C A B'],
    ] as const) {
      await admin.act(`/views/${id}`, { name: 'C', place });
      expect(await namesOf(admin)).toEqual(['Shared', ...order.split(' ')]);
    }
  });

  it('disappears with its agent when it is private, and stays when it is shared', async () => {
    const { id } = await seedAccount(oauth.desk.sql);
    const [admin, other] = [await oauth.colleague('admin', id), await oauth.colleague('owner', id)];
    await keep(admin, 'Own', 'q=own');
    await keep(admin, 'Shared', 'q=shared', { for: 'everybody' });
    const { rows } = await oauth.desk.sql.query<{ id: string }>(
      'select agent_id as id from saved_views where account_id = $1 and agent_id is not null',
      [id],
    );
    await other.act(`/settings/agents/${rows[0]!.id}/archive`);

    expect(await namesOf(other)).toEqual(['Shared']);
    const left = await oauth.desk.sql.query('select name from saved_views where account_id = $1', [id]);
    expect(left.rows).toEqual([{ name: 'Shared' }]);
  });

  it('shows an empty list and its filters when its tag, mailbox or agent is gone', async () => {
    const person = await ofNewAccount('agent');
    const gone = 'folder=open&mailbox=Gone&tag=gone&assignee=gone%40acme.test';
    await keep(person, 'Gone', gone);

    const { status, html } = await person.get(`/inbox?${gone}`);
    expect(status).toBe(200);
    expect(html).toContain('No ticket matches');
    for (const chosen of ['Gone', 'gone', 'gone@acme.test']) expect(html).toContain(`value="${chosen}" selected`);
    expect((await railOf(person)).map(({ count }) => count)).toEqual([undefined]);
  });

  it('has a limit of 50 per agent, of which the rail shows ten and the page all', async () => {
    const person = await ofNewAccount('agent');
    for (let count = 1; count <= 50; count++)
      expect((await keep(person, `View ${count}`, `q=v${count}`)).status).toBe(303);

    const { status, html } = await keep(person, 'One more', 'q=more');
    expect({ status, says: html.includes('A list has at most 50 views') }).toEqual({ status: 409, says: true });
    expect(await namesOf(person)).toEqual(Array.from({ length: 10 }, (_, index) => `View ${index + 1}`));
    const all = (await person.get('/views')).html;
    expect(all).toContain('All 50 views');
    expect(all.match(/aria-label="Change View/g)).toHaveLength(50);
    expect(all.length).toBeLessThan(80_000);
  });
});
