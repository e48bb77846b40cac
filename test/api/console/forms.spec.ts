import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MAX_FORMS, MAX_FORM_BYTES } from '../../../apps/api/src/layers/edge/idempotency.statements.js';
import { OAuthDesk, PASSWORD } from '../../oauth/support/oauth-desk.js';
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
  it('refuses a subject that the API refuses', async () => {
    const { status } = await post('/tickets/1/title', { title: 'x'.repeat(501) });
    expect({ status, title: (await ticket()).title }).toEqual({ status: 422, title: 'Invoice' });
  });

  it('removes no tag when it names none', async () => {
    const { status } = await post('/tickets/1/untag', {});
    expect({ status, tags: (await ticket()).tags }).toEqual({ status: 303, tags: ['undefined'] });
  });

  it.each(['2147483648', '1e400', '-1', '1.5'])('changes no ticket when the ticket number is %s', async (number) => {
    const { state } = await ticket();
    const { status } = await post('/tickets/bulk', { do: 'close', ticket: number });
    expect({ status, state: (await ticket()).state }).toEqual({ status: 303, state });
  });

  it('accepts a multipart body, as browsers send for forms with files', async () => {
    const body = new FormData();
    for (const [name, value] of Object.entries({ csrf, body: 'Sent in parts.' })) body.set(name, value);
    const cookie = [...owner.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const to = new URL('/tickets/1/messages', oauth.base);
    expect((await fetch(to, { method: 'POST', body, headers: { cookie }, redirect: 'manual' })).status).toBe(303);
  });

  it('stores the files of a new ticket in the transaction of the ticket', async () => {
    const body = new FormData();
    const fields = { csrf, to: 'ana@client.example', body: 'Please sign.', mailbox: oauth.desk.account.mailbox.email };
    for (const [name, value] of Object.entries(fields)) body.set(name, value);
    body.set('files', new Blob(['x']), 'contract.txt');
    const cookie = [...owner.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    await fetch(new URL('/tickets', oauth.base), { method: 'POST', body, headers: { cookie }, redirect: 'manual' });
    const { rows } = await oauth.desk.sql.query(
      `select a.xmin = t.xmin as "sameTransaction" from attachments a join messages m on m.id = a.message_id
       join tickets t on t.id = m.ticket_id where a.name = 'contract.txt'`,
    );
    expect(rows).toEqual([{ sameTransaction: true }]);
  });

  it('validates fields that come after its files', async () => {
    const body = new FormData();
    body.set('csrf', csrf);
    body.set('files', new Blob(['x']), 'x.txt');
    body.set('body', 'With \0 in it.');
    const cookie = [...owner.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const statuses = ['messages', 'draft'].map(async (what) => {
      const to = new URL(`/tickets/1/${what}`, oauth.base);
      return (await fetch(to, { method: 'POST', body, headers: { cookie }, redirect: 'manual' })).status;
    });

    expect(await Promise.all(statuses)).toEqual([422, 422]);
    expect((await oauth.desk.sql.query('select from stray_files')).rowCount).toBe(0);
  });

  it('creates one token for two simultaneous clicks, and shows it to both', async () => {
    const form = { name: 'script', 'scope[]': 'read', days: '30', proof: PASSWORD, form_key: 'a-key-of-the-form' };
    const [one, other] = await Promise.all([post('/profile/tokens', form), post('/profile/tokens', form)]);
    const { rows } = await oauth.desk.sql.query("select count(*)::int as made from grants where name = 'script'");

    expect([one.status, rows[0].made]).toEqual([200, 1]);
    expect(other.html).toBe(one.html);
  });

  it('limits the stored forms of each person separately', async () => {
    const { account, sql } = oauth.desk;
    const kept = async (person: string) =>
      (
        await sql.query<{ forms: number; bytes: number }>(
          'select count(*)::int as forms, sum(octet_length(body))::int as bytes from idempotency_keys where grant_id = $1',
          [person],
        )
      ).rows[0]!;
    const fill = (person: string, forms: number, bytes: number) =>
      sql.query(
        `insert into idempotency_keys (account_id, grant_id, key, request_hash, status, body, created_at)
         select $1, $2, 'form:' || n, '', 200, repeat('a', $4), now() - interval '1 hour' from generate_series(1, $3) n`,
        [account.id, person, forms, bytes],
      );
    const other = randomUUID();
    await fill(other, 1500, 10);
    await fill(account.owner.id, 1500, 10);
    await post('/tickets/1/messages', { body: 'One of many', form_key: 'many' });
    expect((await kept(account.owner.id)).forms).toBe(MAX_FORMS);

    await sql.query('delete from idempotency_keys where grant_id = $1', [account.owner.id]);
    await fill(account.owner.id, 20, 1024 * 1024);
    const form = { body: 'After large ones', form_key: 'large' };
    await post('/tickets/1/messages', form);
    const { forms, bytes } = await kept(account.owner.id);
    expect([forms, bytes < MAX_FORM_BYTES + 1024]).toEqual([9, true]);
    expect((await kept(other)).forms).toBe(1500);

    await post('/tickets/1/messages', form);
    const { rows } = await sql.query("select count(*)::int as sent from messages where body = 'After large ones'");
    expect(rows).toEqual([{ sent: 1 }]);
  });

  it('can be sent again after a refusal, and counts as another form with another body', async () => {
    const refused = await post('/tickets/1/messages', { body: '', form_key: 'k' });
    const mended = await post('/tickets/1/messages', { body: 'One', form_key: 'k' });
    const changed = await post('/tickets/1/messages', { body: 'Two', form_key: 'k' });
    const { rows } = await oauth.desk.sql.query(
      "select count(*)::int as sent from messages where body in ('One', 'Two')",
    );

    expect([refused.status, mended.status, changed.status, rows[0].sent]).toEqual([422, 303, 303, 2]);
  });

  it('carries its own key on every page', async () => {
    for (const path of ['/inbox', '/tickets/1', '/tickets/new', '/settings/webhooks/new', '/profile']) {
      const { html } = await owner.get(path);
      const keys = [...html.matchAll(/name="form_key" value="([^"]+)"/g)].map(([, key]) => key);
      expect(keys).toHaveLength(html.split('<form method="post"').length - 1);
      expect(new Set(keys).size).toBe(keys.length);
    }
  });

  it('requires at least one kind of event for a new webhook', async () => {
    const { status, html } = await post('/settings/webhooks', { url: 'https://example.com/hook' });
    expect(status).toBe(422);
    expect(html).toContain('Select at least one kind of event.');
  });
});
