import { describe, expect, it } from 'vitest';
import { deskForFile } from '#test/support/desk-for-file.js';
import { seedAgent } from '#test/support/seed.js';
import { letApplicationIn } from '#test/support/webhooks.js';

const desk = deskForFile();
let count = 0;
const newUrl = () => `https://gateway.example/hooks/${++count}`;

const post = (fields: object, client = desk.client()) =>
  client.post('/v1/webhooks', { event: 'ticket_started', url: newUrl(), ...fields });
const patch = (id: string, fields: object, client = desk.client()) => client.patch(`/v1/webhooks/${id}`, fields);
const shown = async (id: string) => {
  const { headers, authentication } = (await desk.client().get(`/v1/webhooks/${id}`)).body.webhook;
  return { headers, authentication };
};
const bearer = { type: 'bearer', token: 'gateway-token-1' };

/** The rows of headers, newest first, by whether they still count. */
const rowsOf = async (id: string) =>
  (
    await desk.sql.query(
      `select s.id = w.headers_id as current, s.expires_at is null as lasts from webhook_secrets s
       join webhooks w on w.id = s.webhook_id where not s.signs and w.id = $1 order by s.created_at desc, 1 desc`,
      [id],
    )
  ).rows;

describe('the headers and the authentication of a webhook', () => {
  it('are shown as names and as a type, at creation and later', async () => {
    const answer = await post({ headers: { 'X-Api-Key': 'key-of-gateway' }, authentication: bearer });
    const { id } = answer.body.webhook;

    expect(answer.body.webhook).toMatchObject({ headers: ['x-api-key'], authentication: { type: 'bearer' } });
    expect(await shown(id)).toEqual({ headers: ['x-api-key'], authentication: { type: 'bearer' } });
    expect((await desk.client().get(`/v1/webhooks/${id}/secret`)).body.secrets).toHaveLength(1);
  });

  it('change one without the other, into a new row, and null removes them', async () => {
    const { id } = (await post({ headers: { 'x-a': '1', 'x-b': '2' }, authentication: bearer })).body.webhook;
    const { body } = await patch(id, { headers: { 'X-C': '3' } });
    await patch(id, { authentication: { type: 'basic', username: 'maya', password: 'pass:word' } });

    expect(body.webhook).toMatchObject({ headers: ['x-c'], authentication: { type: 'bearer' } });
    expect(await shown(id)).toEqual({ headers: ['x-c'], authentication: { type: 'basic' } });
    expect(await rowsOf(id)).toEqual([
      { current: true, lasts: true },
      { current: false, lasts: false },
      { current: false, lasts: false },
    ]);
    await patch(id, { headers: null, authentication: null });
    expect(await shown(id)).toEqual({ headers: [], authentication: null });
    expect((await rowsOf(id)).filter(({ lasts }) => lasts)).toEqual([]);
  });

  it('count as changed under a key only if a value differs', async () => {
    const url = newUrl();
    const ensure = async (fields: object) =>
      (await desk.client().put('/v1/webhooks/by-key/gateway', { event: 'ticket_started', url, ...fields })).body
        .changed;
    await ensure({ headers: { 'x-a': '1', 'x-b': '2' }, authentication: bearer });

    expect(await ensure({ headers: { 'X-B': '2', 'x-a': '1' }, authentication: bearer })).toEqual([]);
    expect(await ensure({ headers: { 'x-a': '1', 'x-b': '3' } })).toEqual(['headers']);
    expect(await ensure({ authentication: { ...bearer, token: 'another-token' } })).toEqual(['authentication']);
  });

  it.each([
    ['headers', 'not_headers', { headers: ['x-a'] }],
    ['headers', 'not_headers', { headers: { 'x a': '1' } }],
    ['headers', 'not_headers', { headers: { 'x-a': 'two\r\nlines: 1' } }],
    ['headers', 'not_headers', { headers: { 'x-a': 'ü' } }],
    ['headers', 'not_headers', { headers: { 'x-a': '' } }],
    ['headers', 'not_headers', { headers: { 'x-a': { toString: 1 } } }],
    ['headers', 'not_headers', { headers: { 'x-a': '1', 'X-A': '2' } }],
    ['headers', 'not_headers', { headers: { 'x-a': 'x'.repeat(1_001) } }],
    ['headers', 'not_headers', { headers: Object.fromEntries(Array.from('abcdefghijk', (name) => [name, '1'])) }],
    ['headers', 'not_headers', { headers: Object.fromEntries(Array.from('abcde', (name) => [name, 'x'.repeat(900)])) }],
    ['headers', 'not_headers', { headers: { Host: 'x' } }],
    ['headers', 'not_headers', { headers: { 'Content-Type': 'x' } }],
    ['headers', 'not_headers', { headers: { 'Transfer-Encoding': 'x' } }],
    ['headers', 'not_headers', { headers: { 'User-Agent': 'x' } }],
    ['headers', 'not_headers', { headers: { 'webhook-id': 'x' } }],
    ['headers', 'not_headers', { headers: { traceparent: 'x' } }],
    ['headers', 'not_headers', { headers: { 'Proxy-Authorization': 'x' } }],
    ['authentication', 'not_authentication', { authentication: 'token' }],
    ['authentication', 'not_authentication', { authentication: { type: 'constructor' } }],
    ['authentication', 'not_authentication', { authentication: { type: { toString: 1 } } }],
    ['authentication', 'not_authentication', { authentication: { type: 'bearer' } }],
    ['authentication', 'not_authentication', { authentication: { type: 'bearer', token: 'two words' } }],
    ['authentication', 'not_authentication', { authentication: { ...bearer, username: 'maya' } }],
    ['authentication', 'not_authentication', { authentication: { type: 'basic', username: 'a:b', password: 'x' } }],
    ['authentication', 'one_of_two', { authentication: bearer, headers: { Authorization: 'x' } }],
  ])('answer 422 on %s with %s: %j', async (field, code, fields) => {
    const { status, body, text } = await post(fields);

    expect([status, body.errors]).toMatchObject([422, [{ field, code }]]);
    expect(text).not.toMatch(/lines: 1|two words|gateway-token/);
  });

  it('must be sent again for another host or port, and not for another path', async () => {
    const { id, url } = (await post({ headers: { cookie: 'a=1' }, authentication: bearer })).body.webhook;
    const to = (address: string, fields = {}) => patch(id, { url: address, ...fields });
    const refused = [
      await to('https://thief.example/'),
      await to('https://gateway.example:8443/'),
      await to('https://thief.example/', { headers: null }),
      await to('https://thief.example/', { authentication: bearer }),
    ];

    for (const { status, body } of refused)
      expect([status, body.errors]).toMatchObject([422, [{ field: 'url', code: 'credentials_required' }]]);
    expect((await to(`${url}/moved`)).status).toBe(200);
    expect((await to('https://other.example/', { headers: null, authentication: bearer })).status).toBe(200);
    expect(await shown(id)).toEqual({ headers: [], authentication: { type: 'bearer' } });
  });

  it('need the right to register webhooks, and stay in their account', async () => {
    const app = await letApplicationIn(desk, 'Gateway');
    const { id } = (await post({ headers: { 'x-a': '1' } }, app)).body.webhook;
    const plain = desk.client((await seedAgent(desk.sql, desk.account.id)).token);

    expect((await post({ authentication: bearer }, plain)).status).toBe(403);
    expect((await patch(id, { headers: null }, plain)).status).toBe(404);
    expect((await patch(id, { headers: null }, await letApplicationIn(desk, 'Another'))).status).toBe(404);
    expect(await shown(id)).toEqual({ headers: ['x-a'], authentication: null });
  });

  it('appear in no table and in no activity', async () => {
    const secrets = [
      'value-never-shown',
      'token-never-shown',
      'password-never-shown',
      'bmV2ZXI6cGFzc3dvcmQtbmV2ZXItc2hvd24=',
    ];
    const { id } = (await post({ headers: { 'x-a': secrets[0] }, authentication: { ...bearer, token: secrets[1] } }))
      .body.webhook;
    await patch(id, { authentication: { type: 'basic', username: 'never', password: secrets[2] } });
    const { rows } = await desk.sql.query("select tablename from pg_tables where schemaname = 'public'");
    const texts = await Promise.all(
      rows.map(({ tablename }) => desk.sql.query(`select t::text as text from "${tablename}" t`)),
    );
    const all = texts.flatMap((table) => table.rows.map(({ text }) => text)).join('\n');

    expect(all).toContain('x-a');
    for (const secret of secrets) expect(all).not.toContain(secret);
  });
});
