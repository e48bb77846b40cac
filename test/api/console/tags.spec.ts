import { afterAll, describe, expect, it } from 'vitest';
import { OAuthDesk } from '../../oauth/support/oauth-desk.js';
import type { Page } from '../../oauth/support/person.js';
import { ticketFromAna } from '#test/support/desk-records.js';

const oauth = await OAuthDesk.start();
const owner = await oauth.person();
afterAll(() => oauth.stop());

const sql = async (text: string, values?: unknown[]) =>
  (await oauth.desk.sql.query<Record<string, unknown>>(text, values)).rows;

const tagged = (...tags: string[]): Promise<number> => ticketFromAna(oauth.desk, { tags });

const tagsOf = async (number: number): Promise<string[]> =>
  (await oauth.desk.client().get(`/v1/tickets/${number}`)).body.ticket.tags;

const rename = (tag: string, to: string): Promise<Page> => owner.act('/settings/tags', { tag, to });

describe('renaming a tag', () => {
  it('changes open and closed tickets with their events, and is undone', async () => {
    const [one, closed, other] = [await tagged('refund', 'vip'), await tagged('Refund'), await tagged('vip')];
    await oauth.desk.client().put(`/v1/tickets/${closed}/state`, { state: 'closed' });
    const done = await owner.follow(await rename('refund', 'refunds'));

    expect(done.html).toContain('Renamed on 2 tickets.');
    expect([await tagsOf(one), await tagsOf(closed), await tagsOf(other)]).toEqual([
      ['vip', 'refunds'],
      ['refunds'],
      ['vip'],
    ]);
    expect(
      await sql(
        `select count(*)::int as count from events e join activities a on a.id = e.id join tickets t on t.id = a.ticket_id
         where e.kind = 'ticket_tagged' and t.number = any($1)`,
        [[one, closed, other]],
      ),
    ).toEqual([{ count: 2 }]);

    const kept = /name="kept" value="([^"]+)"/.exec(done.html)![1]!;
    await owner.act('/tickets/undo', { kept });
    expect([await tagsOf(one), await tagsOf(closed)]).toEqual([['vip', 'refund'], ['Refund']]);
  });

  it('merges it into an existing tag after a question, and undo separates the two', async () => {
    const [one, both] = [await tagged('bill'), await tagged('bill', 'invoice')];
    const question = await owner.get('/settings/tags?tag=bill&to=invoice');
    expect(question.html).toContain('Rename “bill” to “invoice” on 2 tickets.');
    expect(question.html).toContain('“invoice” is already on 1 ticket. The two tags become one.');
    expect(await tagsOf(one)).toEqual(['bill']);

    const done = await owner.follow(await rename('bill', 'invoice'));
    expect([await tagsOf(one), await tagsOf(both)]).toEqual([['invoice'], ['invoice']]);
    await owner.act('/tickets/undo', { kept: /name="kept" value="([^"]+)"/.exec(done.html)![1]! });
    expect(await tagsOf(one)).toEqual(['bill']);
    expect((await tagsOf(both)).toSorted()).toEqual(['bill', 'invoice']);
  });

  it('renames one of the most tags that a ticket can have', async () => {
    const number = await tagged(...Array.from({ length: 50 }, (_, place) => `tag-${place}`));
    await rename('tag-7', 'tag-seven');
    expect(await tagsOf(number)).toHaveLength(50);
    expect(await tagsOf(number)).toContain('tag-seven');
  });

  it.each([
    ['', 'Enter'],
    ['VIP', 'Enter another name'],
  ])('refuses the new name %j', async (to) => {
    const number = await tagged('vip');
    expect((await rename('vip', to)).status).toBe(422);
    expect(await tagsOf(number)).toEqual(['vip']);
  });

  it('refuses an empty tag, which every ticket would match', async () => {
    const number = await tagged('vip');
    expect((await rename(' ', 'all')).status).toBe(422);
    expect((await rename('vip', 'x'.repeat(101))).status).toBe(422);
    expect(await tagsOf(number)).toEqual(['vip']);
  });

  it('stops after 500 tickets and says how many are left', { timeout: 120_000 }, async () => {
    const number = await tagged('flood');
    await sql(
      `insert into tickets select (jsonb_populate_record(t, jsonb_build_object('id', gen_random_uuid(), 'number', 10000 + n))).*
       from tickets t, generate_series(1, 501) n where t.number = $1`,
      [number],
    );
    const first = await owner.follow(await rename('flood', 'deluge'));
    expect(first.html).toContain('Renamed on 500 tickets, 2 left: press Rename again.');
    expect(first.html).toContain('The two tags become one.');
    expect((await owner.follow(await rename('flood', 'deluge'))).html).toContain('Renamed on 2 tickets.');
  });
});

describe('the page of tags', () => {
  it('counts the tickets of each tag', async () => {
    await tagged('counted');
    await tagged('counted');
    expect((await owner.get('/settings/tags')).html).toMatch(/counted<\/a><span[^>]*><span class="count">2</);
  });

  it('returns 403 to other agents', async () => {
    const agent = await oauth.colleague('agent');
    expect((await agent.get('/settings/tags')).status).toBe(403);
    expect((await agent.act('/settings/tags', { tag: 'vip', to: 'x' })).status).toBe(403);
  });
});
