import { beforeAll, describe, expect, it } from 'vitest';
import { oauthDeskForFile } from '../../oauth/support/oauth-desk-for-file.js';
import { type Person, csrfOf } from '../../oauth/support/person.js';
import { startTicket } from '#test/support/desk-records.js';

const oauth = oauthDeskForFile();
const WEBHOOKS = '/settings/webhooks';
const NEW = { url: 'https://receiver.example/filtered', 'event[]': 'ticket_started' };
let owner: Person;
let csrf: string;

beforeAll(async () => {
  owner = await oauth.person();
  csrf = csrfOf(await owner.get('/profile'));
  for (const tags of [['vip'], ['vip'], []]) await startTicket(oauth.desk, { tags });
});

const post = (path: string, fields: Record<string, string>) => owner.post(path, { csrf, ...fields });
const webhooks = async () => (await oauth.desk.client().get('/v1/webhooks')).body.webhooks;

describe('the filter of a webhook in the console', () => {
  it('is previewed before the webhook is added, and keeps what was typed', async () => {
    const { status, html } = await post(WEBHOOKS, { ...NEW, filter: 'tag:"vip"', preview: 'yes' });

    expect(status).toBe(200);
    expect(html).toContain('Would have sent 2 of the last 3.');
    expect(html).toContain('value="tag:&quot;vip&quot;"');
    expect(html).toContain(`value="${NEW.url}"`);
    expect(html).toMatch(/value="ticket_started"[^>]* checked/);
    expect(await webhooks()).toEqual([]);
  });

  it('is refused with the reason at the field', async () => {
    for (const preview of ['', 'yes']) {
      const { status, html } = await post(WEBHOOKS, { ...NEW, filter: 'refund', preview });
      expect(status).toBe(422);
      expect(/<p class="fault" id="f-filter-fault">([^<]*)/.exec(html)?.[1]).toContain(
        'refund has none of the operators',
      );
    }
    expect(await webhooks()).toEqual([]);
  });

  it('is listed, changed, previewed and removed on the page of the webhook', async () => {
    await post(WEBHOOKS, { ...NEW, filter: 'tag:vip' });
    const [{ id, url }] = await webhooks();
    const page = `${WEBHOOKS}/${id}`;
    const filter = async () => (await webhooks())[0].filter;

    expect((await owner.get(WEBHOOKS)).html).toContain('tag:vip');
    const previewed = await post(page, { url, filter: '-tag:vip', preview: 'yes' });
    expect(previewed.html).toContain('Would have sent 1 of the last 3.');
    expect(previewed.html).toContain('value="-tag:vip"');
    expect(await filter()).toBe('tag:vip');
    const refused = await post(page, { url, filter: 'group:nowhere' });
    expect([refused.status, await filter()]).toEqual([422, 'tag:vip']);
    expect(refused.html).toContain('group:nowhere names no record');
    await post(page, { url, filter: '-tag:vip' });
    expect(await filter()).toBe('-tag:vip');
    await post(page, { url, filter: '' });
    expect(await filter()).toBe(null);
  });

  it('is not offered for a kind without a ticket', async () => {
    const form = { url: 'https://receiver.example/customers', 'event[]': 'customer_added' };
    expect((await post(WEBHOOKS, { ...form, filter: 'tag:vip' })).status).toBe(422);
    await post(WEBHOOKS, { ...form, filter: '' });
    const { id } = (await webhooks()).find(({ event }: { event: string }) => event === 'customer_added');

    expect((await owner.get(`${WEBHOOKS}/${id}`)).html).not.toContain('name="filter"');
  });
});
