import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { OAuthDesk } from '../oauth/support/oauth-desk.js';
import { type Page, type Person, csrfOf } from '../oauth/support/person.js';
import { addMailbox } from '#test/support/desk-records.js';

let oauth: OAuthDesk;
let owner: Person;
let page: string;
let id: string;
beforeAll(async () => {
  oauth = await OAuthDesk.start();
  owner = await oauth.person();
});
afterAll(() => oauth.stop());
beforeEach(async () => {
  ({ id } = await addMailbox(oauth.desk));
  page = `/settings/mailboxes/${id}`;
});

const SERVER = {
  host: 'imap.invalid',
  port: '993',
  security: 'tls',
  username: 'ana',
  password: 'very secret',
  folder: 'INBOX',
};
const submit = async (path: string, fields: Record<string, string> = {}): Promise<Page> =>
  owner.post(`${page}${path}`, { csrf: csrfOf(await owner.get(page)), ...fields });
const imap = async () => (await oauth.desk.client().get(`/v1/mailboxes/${id}/imap`)).body.imap;

describe('the IMAP settings of a mailbox', () => {
  it('connect the mailbox and never show the password', async () => {
    const { location } = await submit('/imap', SERVER);
    const { html } = await owner.get(page);

    expect(location).toContain(page);
    expect(await imap()).toMatchObject({ host: 'imap.invalid', port: 993, folder: 'INBOX', state: 'waiting' });
    expect(html).toContain('Waiting for a worker to connect.');
    expect(html).toContain('value="imap.invalid"');
    expect(html).not.toContain('very secret');
  });

  it('keep the password for the same server and user, and for no other', async () => {
    await submit('/imap', SERVER);
    const { password: _, ...same } = SERVER;

    expect(await submit('/imap', { ...same, folder: 'Help' })).toMatchObject({ status: 303 });
    const refused = await submit('/imap', { ...same, host: 'other.invalid' });
    expect(refused.status).toBe(409);
    expect(refused.html).toContain('it is kept only for the same server and user');
    expect(refused.html).toContain('value="other.invalid"');
    expect(await imap()).toMatchObject({ host: 'imap.invalid', folder: 'Help' });
  });

  it('pause, resume, compare and remove the connection', async () => {
    await submit('/imap', SERVER);
    await submit('/imap/pause');
    expect((await owner.get(page)).html).toContain('Paused.');
    await submit('/imap/resume');
    expect((await imap()).state).toBe('waiting');
    expect((await submit('/imap/rescan')).location).toContain(page);
    await submit('/imap/delete');

    expect((await oauth.desk.client().get(`/v1/mailboxes/${id}/imap`)).body.error).toBe('imap_not_found');
    expect((await owner.get(page)).html).not.toContain('Fetch missed mail');
  });

  it('explain why no connection works', async () => {
    await submit('/imap', SERVER);
    const text = `update imap_accounts set failing_since = now(), last_error = 'The server refused <b>.' where id = $1`;
    await oauth.desk.sql.query(text, [id]);

    expect((await owner.get(page)).html).toContain('The server refused &lt;b>. It will be retried automatically.');
  });
});
