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

/** Sends the form that a list filtered by the tag links to. */
async function rename(tag: string, to: string): Promise<Page> {
  const { html } = await owner.get(`/tickets/bulk?${new URLSearchParams({ rename: tag }).toString()}`);
  const tickets = /name="tickets" value="([^"]+)"/.exec(html)?.[1] ?? '';
  return owner.act('/tickets/bulk', { do: 'rename', tickets, tag, to });
}

describe('renaming a tag', () => {
  it('is offered above a list filtered by the tag', async () => {
    expect((await owner.get('/inbox?tag=very+important')).html).toContain('href="/tickets/bulk?rename=very+important"');
    expect((await owner.get('/inbox')).html).not.toContain('rename=');
  });

  it('changes open and closed tickets with their events, and is undone', async () => {
    const [one, closed, other] = [await tagged('refund', 'vip'), await tagged('Refund'), await tagged('vip')];
    await oauth.desk.client().put(`/v1/tickets/${closed}/state`, { state: 'closed' });
    const renamed = await rename('refund', 'refunds');
    const done = await owner.follow(renamed);

    expect(renamed.location).toContain('tag=refunds');
    expect(done.html).toContain('2 tickets now tagged refunds instead of refund.');
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

  it('merges it into an existing tag, and undo separates the two', async () => {
    const [one, both] = [await tagged('bill'), await tagged('bill', 'invoice')];

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

  it('changes its capital letters', async () => {
    const number = await tagged('spare', 'vip');
    await rename('vip', 'VIP');
    expect(await tagsOf(number)).toEqual(['spare', 'VIP']);
  });

  it('finds a tag with quotation marks exactly', async () => {
    const [quoted, other] = [await tagged('a"b" c'), await tagged('a', 'b" c')];
    await rename('a"b" c', 'plain');
    expect([await tagsOf(quoted), await tagsOf(other)]).toEqual([['plain'], ['a', 'b" c']]);
  });

  it.each([
    ['vip', ''],
    [' ', 'all'],
    ['vip', 'x'.repeat(101)],
  ])('refuses to rename %j to %j', async (tag, to) => {
    const number = await tagged('vip');
    expect((await owner.act('/tickets/bulk', { do: 'rename', tickets: `${number}`, tag, to })).status).toBe(422);
    expect(await tagsOf(number)).toEqual(['vip']);
  });

  it('stops after 500 tickets and leaves the others for the next time', { timeout: 120_000 }, async () => {
    const number = await tagged('flood');
    await sql(
      `insert into tickets select (jsonb_populate_record(t, jsonb_build_object('id', gen_random_uuid(), 'number', 10000 + n))).*
       from tickets t, generate_series(1, 501) n where t.number = $1`,
      [number],
    );
    expect((await owner.get('/tickets/bulk?rename=flood')).html).toContain('The first 500 tickets');
    const renamed = async () => (await owner.follow(await rename('flood', 'deluge'))).html;
    expect(await renamed()).toContain('500 tickets now tagged deluge instead of flood.');
    expect(await renamed()).toContain('2 tickets now tagged deluge instead of flood.');
  });
});
