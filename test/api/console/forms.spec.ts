import { randomUUID } from 'node:crypto';
import { afterAll, describe, expect, it } from 'vitest';
import { MAX_FORMS, MAX_FORM_BYTES } from '../../../apps/api/src/layers/edge/idempotency.statements.js';
import { OAuthDesk } from '../../oauth/support/oauth-desk.js';
import { csrfOf } from '../../oauth/support/person.js';
import { ticketFromAna } from '#test/support/desk-records.js';

const oauth = await OAuthDesk.start();
const owner = await oauth.person();
const csrf = csrfOf(await owner.get('/profile'));
await ticketFromAna(oauth.desk, { subject: 'Invoice', tags: ['undefined'] });
afterAll(() => oauth.stop());

const post = (path: string, fields: Record<string, string>) => owner.post(path, { csrf, ...fields });
const ticket = async () => (await oauth.desk.client().get('/v1/tickets/1')).body.ticket;

/** Sends a form with a file after its other fields. */
const postFile = (path: string, name: string, fields: Record<string, string>, late: Record<string, string> = {}) => {
  const body = new FormData();
  for (const [field, value] of Object.entries({ csrf, ...fields })) body.set(field, value);
  body.set('files', new Blob(['x']), name);
  for (const [field, value] of Object.entries(late)) body.set(field, value);
  return owner.send('POST', path, { body });
};

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

  it('stores the files of a new ticket in the transaction of the ticket', async () => {
    const mailbox = oauth.desk.account.mailbox.email;
    await postFile('/tickets', 'contract.txt', { to: 'ana@client.example', body: 'Please sign.', mailbox });
    const { rows } = await oauth.desk.sql.query(
      `select a.xmin = t.xmin as "sameTransaction" from attachments a join messages m on m.id = a.message_id
       join tickets t on t.id = m.ticket_id where a.name = 'contract.txt'`,
    );
    expect(rows).toEqual([{ sameTransaction: true }]);
  });

  it.each(['messages', 'draft'])('validates fields that come after its files: %s', async (what) => {
    const { status } = await postFile(`/tickets/1/${what}`, 'x.txt', {}, { body: 'With \0 in it.' });

    expect(status).toBe(422);
    expect((await oauth.desk.sql.query('select from stray_files')).rowCount).toBe(0);
  });

  it('limits the stored forms of each person separately', async () => {
    const { account, sql } = oauth.desk;
    const kept = async (person: string) => {
      const counts = 'count(*)::int as forms, sum(octet_length(body))::int as bytes';
      return (await sql.query(`select ${counts} from idempotency_keys where grant_id = $1`, [person])).rows[0]!;
    };
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
