import { EVENT_KINDS } from '#libs/payloads';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { OAuthDesk } from '../oauth/support/oauth-desk.js';
import { eventsEmittedBy } from '../support/emitted-events.js';

/** Runs only in the copy to which recipes.spec.ts has applied the recipes, as a .spec.ts file. */
describe('a product with all recipes applied', () => {
  let oauth: OAuthDesk;

  beforeAll(async () => {
    oauth = await OAuthDesk.start();
  });
  afterAll(() => oauth.desk.stop());

  it('writes, reads and sends the new field, in an event of the new kind', async () => {
    const client = oauth.desk.client();
    await client.post('/v1/customers', { email: 'ana@client.test' });

    const events = await eventsEmittedBy(oauth.desk, () =>
      client.patch('/v1/customers/ana@client.test', { nickname: 'Ann' }),
    );

    expect(events).toMatchObject([{ kind: 'customer_changed', payload: { nickname: 'Ann' } }]);
    expect((await client.get('/v1/customers/ana@client.test')).body.customer).toMatchObject({ nickname: 'Ann' });
    expect(Object.keys(EVENT_KINDS)).toContain('customer_changed');
  });

  it('serves the new resource, and lists it on the new page', async () => {
    const created = await oauth.desk.client().post('/v1/snippets', { text: 'Have you restarted it?' });
    expect([created.status, created.operation]).toEqual([201, 'POST /v1/snippets']);
    expect((await oauth.desk.client().get('/v1/snippets')).body.snippets).toEqual([created.body.snippet]);

    const owner = await oauth.person();
    const page = await owner.get('/snippets');
    expect(page.html).toContain('Have you restarted it?');
    expect(page.html).toContain('href="/snippets"');
    expect((await owner.get('/customers/ana@client.test')).html).toMatch(/Nickname.*value="Ann"/s);
  });
});
