import { randomUUID } from 'node:crypto';
import { afterAll, describe, expect, it } from 'vitest';
import { OAuthDesk } from '../../oauth/support/oauth-desk.js';
import { newAccount } from '#test/support/account-desk.js';
import { ticketFromAna } from '#test/support/desk-records.js';
import { eventually } from '#test/support/eventually.js';
import { insertPastDeliveries } from '#test/support/past-deliveries.js';

const oauth = await OAuthDesk.start();
const { desk } = oauth;
const owner = await oauth.person();
afterAll(() => oauth.stop());

const newWebhook = async (event: string) => (await desk.webhook(event, `https://${randomUUID()}.example/受信`)).id;
const shown = (html: string): string[] =>
  [...html.matchAll(/href="\/settings\/deliveries\/([^"]+)"/g)].map(([, id]) => id!);
const text = async (path: string) => (await owner.get(path)).html.replaceAll(/<[^>]+>/g, '');
const list = async (query: string) => shown((await owner.get(`/settings/deliveries?${query}`)).html);

describe('the page of all deliveries', () => {
  it('lists and filters those of every webhook, page by page', async () => {
    const [one, other] = [await newWebhook('ticket_started'), await newWebhook('ticket_closed')];
    const first = await insertPastDeliveries(desk, one, Array<'delivered'>(20).fill('delivered'));
    const last = await insertPastDeliveries(desk, other, Array<'exhausted'>(10).fill('exhausted'));
    await desk.sql.query("update deliveries set last_status = 404 where state = 'exhausted'");
    const newestFirst = [...first, ...last].toSorted().toReversed();

    const { html } = await owner.get('/settings/deliveries');
    expect(shown(html)).toEqual(newestFirst.slice(0, 25));
    const next = /href="([^"]+)" rel="next"/.exec(html)![1]!.replaceAll('&amp;', '&');
    expect(shown((await owner.get(next)).html)).toEqual(newestFirst.slice(25));
    expect(await list('standing=given_up&last_status=4xx&since=1h')).toEqual(last.toReversed());
    expect(await list('last_status=5xx')).toEqual([]);
    expect(await list('event=ticket_closed&standing=delivered')).toEqual([]);
    expect(await list(`webhook=${one}`)).toEqual(first.toReversed());
    expect((await owner.get('/settings/webhooks')).html).toContain('href="/settings/deliveries"');
    expect((await owner.get(`/settings/webhooks/${one}`)).html).toContain(`href="/settings/deliveries?webhook=${one}"`);
  });

  it('finds the deliveries of a ticket', async () => {
    const receiver = await desk.receiver();
    await desk.webhook('note_added', receiver.url);
    const worker = await desk.worker();
    const number = await ticketFromAna(desk);
    await desk.client().post(`/v1/tickets/${number}/messages`, { body: 'メモ', note: true });
    await receiver.received(1);
    const [id] = await eventually(async () => {
      const found = await list(`ticket=${number}&event=note_added`);
      return found.length > 0 && found;
    });
    await worker.stop();

    const { html } = await owner.get(`/settings/deliveries?ticket=${number}`);
    expect(html).toContain(`>Ticket #${number}</a>`);
    expect(shown(html)).toContain(id);
    expect(await list('ticket=99999')).toEqual([]);
  });

  it.each([
    ['ticket=七', 'ticket must be a whole number', 'value="七"'],
    ['last_status=٤٠٤', 'last_status must be a status', 'value="٤٠٤"'],
    ['webhook=x', 'webhook must be an ID', ''],
    ['cursor=nonsense', 'cursor does not come from', ''],
  ])('says what is wrong with %s and keeps what was typed', async (query, message, typed) => {
    const { status, html } = await owner.get(`/settings/deliveries?${query}`);

    expect(status).toBe(422);
    expect(html).toContain(message);
    expect(html).toContain(typed);
  });

  it('shows nothing of another account', async () => {
    const other = await newAccount(desk);
    const stranger = (
      await other.client().post('/v1/webhooks', { event: 'ticket_started', url: 'https://other.example/' })
    ).body.webhook.id;
    await insertPastDeliveries(other, stranger, ['delivered']);

    expect(await list(`webhook=${stranger}`)).toEqual([]);
  });
});

describe('the pages of webhooks', () => {
  it('show since when a webhook fails and when it will be disabled', async () => {
    const id = await newWebhook('ticket_tagged');
    expect(await text('/settings/webhooks')).not.toContain('Started failing');
    await desk.sql.query("update webhooks set failing_since = $2::timestamptz - interval '73 hours' where id = $1", [
      id,
      desk.clock.now(),
    ]);

    for (const path of ['/settings/webhooks', `/settings/webhooks/${id}`])
      expect(await text(path)).toContain(
        'Started failing 3 d ago. Unless a delivery succeeds, it will be disabled in 2 d, after 10 failed deliveries',
      );
    await desk.client().patch(`/v1/webhooks/${id}`, { state: 'paused' });
    expect(await text(`/settings/webhooks/${id}`)).not.toContain('Started failing');
  });

  it('show the totals of a day and a week, and held deliveries', async () => {
    const id = await newWebhook('ticket_moved');
    await insertPastDeliveries(desk, id, ['delivered', 'delivered', 'exhausted']);
    desk.clock.advance({ hours: 48 });
    await insertPastDeliveries(desk, id, ['delivered', 'pending']);
    await desk.client().patch(`/v1/webhooks/${id}`, { state: 'paused' });

    const { html } = await owner.get(`/settings/webhooks/${id}`);
    const rows = [...html.matchAll(/<tr><td[^>]*>Last .*?<\/tr>/gs)].map(([row]) =>
      [...row.matchAll(/<td[^>]*>(.*?)<\/td>/g)].map(([, cell]) => cell),
    );
    expect(rows).toEqual([
      ['Last 24 hours', '1', '0', '0', '100%', '40 ms', '40 ms'],
      ['Last 7 days', '3', '1', '1', '75%', '40 ms', '40 ms'],
    ]);
    expect(html).toMatch(/Delivery [^"]+, held/);
    expect(await list(`webhook=${id}&standing=held`)).toHaveLength(1);
  });
});
