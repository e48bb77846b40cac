import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { OAuthDesk } from '../../oauth/support/oauth-desk.js';
import { type Page, type Person, csrfOf } from '../../oauth/support/person.js';

let oauth: OAuthDesk;
let owner: Person;
let csrf = '';

beforeAll(async () => {
  oauth = await OAuthDesk.start();
  owner = await oauth.person();
  csrf = csrfOf(await owner.get('/profile'));
  await oauth.desk.client().post('/v1/tickets', {
    from: 'ana@client.example',
    to: oauth.desk.account.mailbox.email,
    subject: 'Invoice',
    tags: ['undefined'],
    body: 'Hello',
  });
});
afterAll(() => oauth.stop());

const post = (path: string, fields: Record<string, string>): Promise<Page> => owner.post(path, { csrf, ...fields });
const ticket = async () => (await oauth.desk.client().get('/v1/tickets/1')).body.ticket;

describe('a form of the console', () => {
  it('refuses a subject that the API would refuse', async () => {
    const { status } = await post('/tickets/1/title', { title: 'x'.repeat(501) });
    expect({ status, title: (await ticket()).title }).toEqual({ status: 422, title: 'Invoice' });
  });

  it('removes no tag when it names none', async () => {
    const { status } = await post('/tickets/1/untag', {});
    expect({ status, tags: (await ticket()).tags }).toEqual({ status: 303, tags: ['undefined'] });
  });

  it('is accepted in parts, as browsers send one with files', async () => {
    const body = new FormData();
    for (const [name, value] of Object.entries({ csrf, body: 'Sent in parts.' })) body.set(name, value);
    const cookie = [...owner.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const to = new URL('/tickets/1/messages', oauth.base);
    expect((await fetch(to, { method: 'POST', body, headers: { cookie }, redirect: 'manual' })).status).toBe(303);
  });

  it('says that a new webhook needs a kind of event', async () => {
    const { status, html } = await post('/settings/webhooks', { url: 'https://example.com/hook' });
    expect(status).toBe(422);
    expect(html).toContain('Tick at least one kind of event.');
  });
});
