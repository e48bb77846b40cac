import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { OAuthDesk } from '../oauth/support/oauth-desk.js';
import { csrfOf } from '../oauth/support/person.js';

let oauth: OAuthDesk;
beforeAll(async () => {
  oauth = await OAuthDesk.start();
  await oauth.desk.client().post('/v1/tickets', {
    body: 'Hello',
    from: 'ana@client.test',
    to: oauth.desk.account.mailbox.email,
  });
});
afterAll(() => oauth.stop());

const cursorOf = (...parts: unknown[]): string => Buffer.from(JSON.stringify(parts)).toString('base64url');

const KEYS = {
  'a day that does not exist': ['2024-02-30T00:00:00.000Z', '1'],
  'the year 0': ['0000-01-01T00:00:00.000Z', '1'],
  'an hour that does not exist': ['2024-01-01T24:00:00.000Z', '1'],
  'the NUL character': ['\0', '1'],
  'half of a surrogate pair': ['\ud800', '1'],
  'a number too large': ['99999999999999999999', '1'],
  'no text': [null, {}],
};

const LISTS = [
  ['/v1/tickets', 'updated_at'],
  ['/v1/tickets', 'number'],
  ['/v1/customers', 'created_at'],
  ['/v1/customers', 'email'],
  ['/v1/agents', 'email'],
  ['/v1/groups', 'name'],
  ['/v1/events', 'created_at'],
] as const;

describe.each(LISTS)('a list with a forged cursor of %s by %s', (path, sort) => {
  it.each(Object.entries(KEYS))('refuses the cursor, or takes it as a place in the list, with %s', async (_, keys) => {
    const statuses = [];
    for (const count of [1, 2]) {
      const cursor = cursorOf('after', sort, ...keys.slice(0, count));
      statuses.push((await oauth.desk.client().get(`${path}?sort=${sort}&cursor=${cursor}`)).status);
    }

    expect(statuses.filter((status) => status !== 200 && status !== 422)).toEqual([]);
  });
});

describe('the product', () => {
  it.each([
    [
      'a client id with the NUL character',
      { authorization: `Basic ${btoa('a\0b:secret')}` },
      'grant_type=refresh_token',
    ],
    ['the same, percent-encoded', { authorization: `Basic ${btoa('a%00b:secret')}` }, 'grant_type=refresh_token'],
    ['half of a surrogate pair', { authorization: `Basic ${btoa('%ED%A0%80:s')}` }, 'grant_type=refresh_token'],
    ['a NUL in the form', {}, 'grant_type=refresh_token&client_id=a%00b&client_secret=x&refresh_token=%00'],
  ])('refuses a stranger with %s', async (_, headers: Record<string, string>, body) => {
    const form = { 'content-type': 'application/x-www-form-urlencoded', ...headers };
    const { status } = await fetch(`${oauth.base}/oauth/token`, { method: 'POST', headers: form, body });

    expect([400, 401]).toContain(status);
  });

  it.each([
    ['GET', '/live'],
    ['POST', '/live/replying/1'],
    ['GET', '/attachments/1'],
    ['GET', '/inbox'],
    ['POST', '/tickets/1/title'],
  ])('hides from a stranger without a session %s %s', async (method, path) => {
    const { status } = await fetch(`${oauth.base}${path}`, { method, redirect: 'manual' });

    expect(status).toBeGreaterThanOrEqual(300);
    expect(status).toBeLessThan(500);
  });
});

/** The rest of a form from an agent's browser; its first field is the proof. */
const BROKEN_FORMS = {
  'before its first part': '',
  'after a boundary': '--b\r\n',
  'within a field': '--b\r\ncontent-disposition: form-data; name="body"\r\n\r\nhal',
  'within a file':
    '--b\r\ncontent-disposition: form-data; name="body"\r\n\r\nHello\r\n' +
    '--b\r\ncontent-disposition: form-data; name="files"; filename="a.txt"\r\n\r\nhal',
  'at a field without a name': '--b\r\ncontent-disposition: form-data;7name="body"\r\n\r\nHello\r\n--b--\r\n',
};

describe.each(['/tickets', '/tickets/1/messages'])('the endpoint of a broken form to %s', (path) => {
  it.each(Object.entries(BROKEN_FORMS))('refuses a form that breaks %s', async (_, body) => {
    const person = await oauth.person(oauth.desk.account.owner.email);
    const csrf = csrfOf(await person.get('/profile'));
    const proof = `--b\r\ncontent-disposition: form-data; name="csrf"\r\n\r\n${csrf}\r\n`;
    const { status } = await person.send('POST', path, {
      headers: { 'content-type': 'multipart/form-data; boundary=b' },
      body: `${proof}--b\r\ncontent-disposition: form-data; name="to"\r\n\r\nana@client.test\r\n${body}`,
    });

    expect([400, 403]).toContain(status);
  });
});

describe('a path with a name that no header can contain', () => {
  it.each(['%E7%9E%83', '%C3%A9', 'a%0D%0Ab', '%00', '%F0%9F%99%82'])('redirects elsewhere: %s', async (name) => {
    const person = await oauth.person(oauth.desk.account.owner.email);
    const csrf = csrfOf(await person.get('/profile'));
    const path = `/settings/webhooks/${name}/replays/${randomUUID()}/cancel`;
    const { status, location } = await person.post(path, { csrf });

    expect(status).toBeLessThan(500);
    expect(location ?? '').toMatch(/^[!-~]*$/);
  });
});

describe('the API', () => {
  it.each(['"a\r\nBcc: b"@client.test', '"a\n"@client.test', '"a\0"@client.test', '"a\u007f"@client.test'])(
    'refuses an email address with a line break: %j',
    async (email) => {
      const { mailbox } = oauth.desk.account;
      const answers = [
        await oauth.desk.client().post('/v1/customers', { email }),
        await oauth.desk.client().post('/v1/agents', { email }),
        await oauth.desk.client().post('/v1/tickets', { body: 'Hello', from: email, to: mailbox.email }),
      ];

      expect(answers.map(({ status }) => status)).toEqual([422, 422, 422]);
    },
  );
});

describe('the response to a query of 14 KB', () => {
  it.each(['tickets', 'customers', 'events'])('has headers that any client accepts: %s', async (list) => {
    const answer = await fetch(`${oauth.base}/v1/${list}?per_page=1&x=${'y'.repeat(14_000)}`, {
      headers: { authorization: `Bearer ${oauth.desk.account.owner.token}` },
    });

    expect(answer.status).toBe(200);
    expect([...answer.headers].flat().join('').length).toBeLessThan(10_000);
  });
});
