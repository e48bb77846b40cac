import { afterAll, describe, expect, it } from 'vitest';
import { OAuthDesk } from '../../oauth/support/oauth-desk.js';
import { newAccount } from '#test/support/account-desk.js';
import { ticketFromAna } from '#test/support/desk-records.js';
import { eventually } from '#test/support/eventually.js';

const oauth = await OAuthDesk.start();
const owner = await oauth.person();
const client = oauth.desk.client();
const receiver = await oauth.desk.receiver();
await oauth.desk.webhook('ticket_priority_changed', receiver.url);
await ticketFromAna(oauth.desk);
await client.put('/v1/tickets/1/priority', { priority: 'low' });
await client.put('/v1/tickets/1/priority', { priority: 'urgent' });
await oauth.desk.worker();
await receiver.received(2);
afterAll(() => oauth.stop());

const rowsOf = (html: string): string[] =>
  [...html.matchAll(/<tr><td.*?<\/tr>/gs)].map(([row]) => row.replaceAll(/<[^>]+>/g, ' ').replaceAll(/\s+/g, ' '));

describe('the events and audit page', () => {
  it('shows what happened, newest first, with the actor and the subject', async () => {
    const rows = rowsOf((await owner.get('/settings/events')).html);
    expect(rows[0]).toMatch(/just now Maya Lind set the priority to urgent #1/);
    expect(rows.some((row) => /Maya Lind started this ticket #1/.test(row))).toBe(true);
    expect(rows.some((row) => /Maya Lind added the customer ana@client\.example/.test(row))).toBe(true);
  });

  it('filters by kind and by time', async () => {
    const ofKind = rowsOf((await owner.get('/settings/events?kind=ticket_started')).html);
    expect(ofKind).toHaveLength(1);
    await oauth.desk.sql.query(
      `insert into activities (id, account_id, kind, subject, created_at)
       values (uuid_at(now() - interval '3 days'), $1, 'group_created', 'Long ago', now() - interval '3 days')`,
      [oauth.desk.account.id],
    );
    const found = async (since: string) =>
      (await owner.get(`/settings/events?since=${since}`)).html.includes('Long ago');
    expect([await found('24h'), await found('7d'), await found('')]).toEqual([false, true, true]);
  });

  it('skips nothing between pages', async () => {
    await oauth.desk.sql.query(
      `insert into activities (id, account_id, kind, subject, created_at)
       select uuid_at(now() - make_interval(days => 10, secs => n)), $1, 'group_changed', 'Group ' || n, now() from generate_series(1, 120) n`,
      [oauth.desk.account.id],
    );
    const subjects: string[] = [];
    let path: string | undefined = '/settings/events?kind=group_changed';
    while (path) {
      const { html } = await owner.get(path);
      subjects.push(...rowsOf(html).flatMap((row) => /Group \d+/.exec(row) ?? []));
      path = /href="([^"]+)" rel="next"/.exec(html)?.[1]?.replaceAll('&amp;', '&');
    }
    expect(subjects).toEqual(Array.from({ length: 120 }, (_, index) => `Group ${index + 1}`));
  });

  it('shows what an event changed, the payload and the deliveries', async () => {
    const { html: list } = await owner.get('/settings/events?kind=ticket_priority_changed');
    const path = /href="(\/settings\/events\/[\da-f-]{36})"/.exec(list)![1]!;
    const html = await eventually(async () => {
      const page = await owner.get(path);
      return page.html.includes('delivered') && page.html;
    });
    expect(html).toMatch(/<del>low<\/del>.*<ins>urgent<\/ins>/s);
    expect(html).toMatch(/\/settings\/deliveries\/[\da-f-]{36}/);
    expect(html).toContain('&quot;priority&quot;: &quot;urgent&quot;');
  });

  it('shows no event of another account', async () => {
    const other = await newAccount(oauth.desk);
    await other.client().post('/v1/customers', { email: 'bo@client.example' });
    const { rows } = await other.sql.query('select id from activities where account_id = $1', [other.account.id]);
    expect(rows).toHaveLength(1);
    expect((await owner.get(`/settings/events/${rows[0]!.id}`)).status).toBe(404);
    expect((await owner.get('/settings/events')).html).not.toContain('bo@client.example');
  });
});
