import { createHash, randomUUID } from 'node:crypto';
import { ApplicationsService } from '#libs/access';
import { beforeAll, describe, expect, it } from 'vitest';
import { ApiClient } from '#test/support/api-client.js';
import { seedAccount } from '#test/support/seed.js';
import { oauthDeskForFile } from './support/oauth-desk-for-file.js';
import { REDIRECT_URI, type TestApplication } from './support/oauth-desk.js';
import { FORM, PATH, codesOf, createOwn } from './support/own-application.js';
import type { Person } from './support/person.js';

const oauth = oauthDeskForFile();
let owner: Person;
beforeAll(async () => {
  owner = await oauth.person();
});

const VERIFIER = 'v'.repeat(43);
const PKCE = {
  code_challenge: createHash('sha256').update(VERIFIER).digest('base64url'),
  code_challenge_method: 'S256',
};

const applications = () => oauth.desk.api.get(ApplicationsService);

/** Reads the new secret and the client id from the page that shows them. */
async function made(fields: Record<string, string> = {}, scopes?: readonly string[]): Promise<TestApplication> {
  const page = await createOwn(owner, fields, scopes);
  const codes = codesOf(page);
  const [secret = '', clientId = ''] = codes.length > 1 ? codes : ['', ...codes];
  const { id } = await applications().find({ clientId });
  return { id, clientId, secret, redirectUri: fields['redirect_uri'] ?? REDIRECT_URI };
}

const pathOf = ({ clientId }: TestApplication, part = ''): string => `${PATH}/${clientId}${part}`;

const isKnown = async (app: TestApplication, secret = app.secret) =>
  (await oauth.exchange('x', { client_secret: secret }, app)).body.error === 'invalid_grant';

const registerWebhook = (token: string) =>
  new ApiClient(oauth.base, token).post('/v1/webhooks', {
    event: 'ticket_started',
    url: `https://receiver.example/${randomUUID()}`,
  });

describe('an application that an account makes', () => {
  it('shows its secret once and then gets tokens as a confidential client', async () => {
    const app = await made();
    const { access_token } = await oauth.tokens(await oauth.colleague('agent'), {}, app);

    expect(app.secret).toHaveLength(64);
    expect(await oauth.works(access_token)).toBe(true);
    expect((await owner.get(pathOf(app))).html).not.toContain(app.secret);
    expect((await owner.get(PATH)).html).not.toContain(app.secret);
  });

  it('gets tokens as a public client on any port of this machine', async () => {
    const created = await createOwn(owner, { type: 'public', redirect_uri: 'http://127.0.0.1/callback' });
    const app = { id: '', clientId: codesOf(created)[0]!, secret: '', redirectUri: 'http://127.0.0.1:49152/callback' };
    const code = await oauth.code(owner, PKCE, app);
    const answer = await oauth.exchange(code, { client_secret: undefined, code_verifier: VERIFIER }, app);

    expect(created.html).not.toContain('client secret now');
    expect(answer.status).toBe(200);
    expect(await oauth.works(answer.body.access_token)).toBe(true);
  });

  it('may ask for reading only, unless more was chosen', async () => {
    const app = await made();
    const answer = await owner.get(oauth.authorizePath({ scope: 'write' }, app));
    expect([answer.status, answer.location]).toEqual([400, null]);
    expect(answer.html).toContain('The application may request: read.');
  });

  it('lets plain agents register webhooks only after the operator approved it', async () => {
    const app = await made({}, ['read', 'webhooks']);
    const [agents, owners] = [
      await oauth.tokens(await oauth.colleague('agent'), {}, app),
      await oauth.tokens(owner, {}, app),
    ];
    expect((await registerWebhook(agents.access_token)).status).toBe(403);
    expect((await registerWebhook(owners.access_token)).status).toBe(201);

    await applications().approve({ clientId: app.clientId });
    expect((await registerWebhook(agents.access_token)).status).toBe(201);
  });

  it('loses the approval when its details change, but not when they are saved unchanged', async () => {
    const app = await made();
    await applications().approve({ clientId: app.clientId });
    const isApproved = async () => (await applications().find({ clientId: app.clientId })).approvedAt !== null;
    await owner.act(pathOf(app), FORM);
    expect(await isApproved()).toBe(true);
    await owner.act(pathOf(app), { ...FORM, redirect_uri: 'https://evil.example/' });
    expect(await isApproved()).toBe(false);
  });

  it('is invisible and useless to another account', async () => {
    const app = await made();
    const other = await seedAccount(oauth.desk.sql, { name: 'Globex' });
    const stranger = await oauth.colleague('owner', other.id);
    const answers = await Promise.all(
      ['', '/rotate', '/end-old-secret', '/disable', '/enable', '/delete'].map((part) =>
        stranger.act(pathOf(app, part), FORM),
      ),
    );

    expect(answers.map(({ status }) => status)).toEqual(Array(6).fill(404));
    expect((await stranger.get(pathOf(app))).status).toBe(404);
    expect((await stranger.get(PATH)).html).not.toContain(app.clientId);
    expect((await stranger.get(oauth.authorizePath({}, app))).status).toBe(403);
    expect(await isKnown(app)).toBe(true);
  });

  it('cannot be one of the operator', async () => {
    const parts = ['', '/rotate', '/disable', '/delete'];
    const answers = await Promise.all(parts.map((part) => owner.act(pathOf(oauth.app, part), FORM)));
    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404, 404]);
    expect(await isKnown(oauth.app)).toBe(true);
  });

  it('is out of reach of plain agents', async () => {
    const app = await made();
    const agent = await oauth.colleague('agent');
    const answers = [await agent.get(PATH), await createOwn(agent), await agent.act(pathOf(app, '/delete'))];
    expect(answers.map(({ status }) => status)).toEqual([403, 403, 403]);
  });

  it('accepts both secrets after a rotation until the old one is ended', async () => {
    const app = await made();
    const [secret = ''] = codesOf(await owner.act(pathOf(app, '/rotate'), { overlap: '168' }));
    expect([await isKnown(app), await isKnown(app, secret)]).toEqual([true, true]);
    oauth.desk.clock.advance({ hours: 167 });
    expect(await isKnown(app)).toBe(true);
    await owner.act(pathOf(app, '/end-old-secret'));

    expect([await isKnown(app), await isKnown(app, secret)]).toEqual([false, true]);
  });

  it('refuses the old secret at once after a rotation without overlap', async () => {
    const app = await made();
    const [secret = ''] = codesOf(await owner.act(pathOf(app, '/rotate'), { overlap: '0' }));
    expect([await isKnown(app), await isKnown(app, secret)]).toEqual([false, true]);
  });

  it('keeps the secret of the first of two rotations at once', async () => {
    const app = await made();
    const pages = await Promise.all([1, 2].map(() => owner.act(pathOf(app, '/rotate'), { overlap: '24' })));
    const known = await Promise.all(pages.map((page) => isKnown(app, codesOf(page)[0])));
    expect(known).toEqual([true, true]);
  });

  it('stops working while it is disabled', async () => {
    const app = await made();
    const { access_token } = await oauth.tokens(owner, {}, app);
    await owner.act(pathOf(app, '/disable'));
    expect([await oauth.works(access_token), await isKnown(app)]).toEqual([false, false]);
    await owner.act(pathOf(app, '/enable'));
    expect([await oauth.works(access_token), await isKnown(app)]).toEqual([true, true]);
  });

  it('stays disabled if the operator disabled it', async () => {
    const app = await made();
    await owner.act(pathOf(app, '/disable'));
    await applications().disable({ clientId: app.clientId });
    const refused = await owner.act(pathOf(app, '/enable'));
    expect([refused.status, await isKnown(app)]).toEqual([409, false]);
    expect(refused.html).toContain('Only the operator can enable it.');

    await applications().enable({ clientId: app.clientId });
    expect(await isKnown(app)).toBe(true);
  });

  it('ends its tokens and webhooks at once when it is deleted', async () => {
    const app = await made({}, ['read', 'webhooks']);
    const { access_token } = await oauth.tokens(owner, {}, app);
    const { id } = (await registerWebhook(access_token)).body.webhook;
    await owner.act(pathOf(app, '/delete'));

    expect([await oauth.works(access_token), await isKnown(app)]).toEqual([false, false]);
    expect((await oauth.desk.client().get(`/v1/webhooks/${id}`)).body.webhook.state).toBe('disabled');
    expect((await owner.get(pathOf(app))).status).toBe(404);
    expect((await owner.get(oauth.authorizePath({}, app))).status).toBe(400);
  });

  it('leaves each step in the audit of its account', async () => {
    const app = await made({ name: 'Audited' });
    await owner.act(pathOf(app), { ...FORM, name: 'Audited' });
    await owner.act(pathOf(app, '/rotate'), { overlap: '24' });
    await owner.act(pathOf(app, '/end-old-secret'));
    await applications().approve({ clientId: app.clientId });
    await owner.act(pathOf(app, '/disable'));
    await owner.act(pathOf(app, '/enable'));
    await owner.act(pathOf(app, '/delete'));
    const { rows } = await oauth.desk.sql.query<{ kind: string; by: string | null }>(
      "select kind, agent_id as by from activities where subject = 'Audited' order by id",
    );

    expect(rows.map(({ kind }) => kind.replace('application_', ''))).toEqual(
      'created changed secret_rotated old_secret_ended approved disabled enabled deleted'.split(' '),
    );
    expect(rows.filter(({ by }) => by === null).map(({ kind }) => kind)).toEqual(['application_approved']);
  });

  it('drops characters that turn its name around', async () => {
    expect((await owner.get(pathOf(await made({ name: '\u202egnp.exe' })))).html).not.toContain('\u202e');
  });

  it.each(['<script>alert(1)</script>', 'تطبيق التذاكر', '🧪"><img src=x>'])(
    'shows its name as text: %s',
    async (name) => {
      const app = await made({ name });
      const pages = [
        await owner.get(PATH),
        await owner.get(pathOf(app)),
        await owner.get(oauth.authorizePath({}, app)),
      ];
      for (const { html, status } of pages) {
        expect(status).toBe(200);
        expect(html).toContain(name.replaceAll('<', '&lt;').replaceAll('"', '&quot;').slice(0, 8));
        expect(html).not.toMatch(/<script>alert|<img src=x/);
      }
    },
  );
});
