import { PersonalTokensService } from '#libs/access';
import { Database, createDataSource, revertMigrations, runMigrations } from '#libs/database';
import type { Scope } from '#libs/entities';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MailServer } from '../oauth/support/mail-server.js';
import { OAuthDesk, type TestApplication } from '../oauth/support/oauth-desk.js';
import { csrfOf } from '../oauth/support/person.js';
import type { ApiClient } from '../support/api-client.js';
import { type SeededAgent, seedAgent } from '../support/seed.js';
import { DeskUpkeep } from '../support/upkeep.js';

const NO_DELIVERY = '/v1/deliveries/00000000-0000-7000-8000-000000000000';

let mail: MailServer;
let oauth: OAuthDesk;
let upkeep: DeskUpkeep;
let noor: SeededAgent;
let notifier: TestApplication;
/** Tokens issued before the migration. */
let earlier: { app: { access_token: string; refresh_token: string }; personal: string };

beforeAll(async () => {
  mail = await MailServer.start();
  oauth = await OAuthDesk.start({ SMTP_URL: mail.url });
  upkeep = await DeskUpkeep.start(oauth.desk);
  noor = await oauth.agent();
  notifier = await oauth.application({ name: 'Notifier' });
  await oauth.tokens(await oauth.person(), { scope: 'read webhooks' });
  earlier = {
    app: await oauth.tokens(await oauth.person(noor.email), { scope: 'webhooks' }, notifier),
    personal: await personalToken('Nightly sync', ['write', 'webhooks']),
  };
  await personalToken('Revoked', ['admin'], 'revoked_at = created_at');
  await upgrade();
});
afterAll(async () => {
  await upkeep.stop();
  await oauth.stop();
  mail.stop();
});

async function personalToken(name: string, scopes: readonly Scope[], change?: string): Promise<string> {
  const { api, sql, account } = oauth.desk;
  const wanted = { agentId: account.owner.id, name, scopes };
  const { id, token } = await api
    .get(Database)
    .account(account.id)
    .transaction((tx) => api.get(PersonalTokensService).create(tx, wanted));
  if (change) await sql.query(`update grants set ${change} where id = $1`, [id]);
  return token;
}

/** Upgrades from the version before, with all current data. */
async function upgrade(): Promise<void> {
  const settings = { DATABASE_URL: oauth.desk.environment['DATABASE_URL']!, DATABASE_POOL_SIZE: 2 };
  const source = await createDataSource(settings, 'tests').initialize();
  const place = source.migrations.findIndex(({ constructor }) => constructor.name.startsWith('RequireReadForRecords'));
  await revertMigrations(source, source.migrations.length - place);
  await runMigrations(source);
  await source.destroy();
}

const register = (client: ApiClient, url: string) => client.post('/v1/webhooks', { event: 'note_added', url });

describe('Access that was given before webhooks needed the scope read', () => {
  it('keeps registering webhooks and reading deliveries, also after a refresh', async () => {
    const { access_token } = (await oauth.refresh(earlier.app.refresh_token, {}, notifier)).body;

    for (const [place, token] of [earlier.app.access_token, access_token, earlier.personal].entries()) {
      const client = oauth.desk.client(token);
      expect((await register(client, `https://receiver.example/${place}`)).status).toBe(201);
      expect((await client.get(NO_DELIVERY)).body.error).toBe('delivery_not_found');
      expect((await client.get('/v1/tickets')).body.error).toBe('insufficient_scope');
    }
  });

  it('notifies each person who can revoke it once, about the access that concerns them', async () => {
    const { owner } = oauth.desk.account;
    await seedAgent(oauth.desk.sql, oauth.desk.account.id, { role: 'agent' });

    expect(await upkeep.sendMails()).toBe(2);
    expect(await upkeep.sendMails()).toBe(0);
    const [toOwner, toNoor] = [owner, noor].map(({ email }) =>
      mail.mails.find((text) => text.includes(`To: ${email}`)),
    );
    expect(linesOf(toOwner)).toEqual([
      `- Nightly sync (personal access token of ${owner.email})`,
      `- Notifier (access given by ${noor.email})`,
    ]);
    expect(toOwner).toContain(`${oauth.base}/settings/applications`);
    expect(linesOf(toNoor)).toEqual([`- Notifier (access given by ${noor.email})`]);
    expect(toNoor).toContain(`${oauth.base}/profile`);
  });

  it('appears under Applications and in the profile', async () => {
    const [owner, agent] = [await oauth.person(), await oauth.person(noor.email)];

    for (const page of [
      await owner.get('/settings/applications'),
      await owner.get('/profile'),
      await agent.get('/profile'),
    ]) {
      expect(page.html.match(/class="pill warn"[^>]*>receives records/g)).toHaveLength(1);
      expect(page.html.match(/Revoke this access if it should not/g)).toHaveLength(1);
    }
  });

  it('ends when it is revoked, and a new grant needs read as well', async () => {
    const person = await oauth.person(noor.email);
    const client = oauth.desk.client(earlier.app.access_token);
    const { webhook } = (await register(client, 'https://receiver.example/last')).body;

    const csrf = csrfOf(await person.get('/profile'));
    await person.post(`/profile/applications/${notifier.id}/revoke`, { csrf });
    const anew = oauth.desk.client((await oauth.tokens(person, { scope: 'webhooks' }, notifier)).access_token);

    expect((await client.get('/v1/webhooks')).status).toBe(401);
    expect((await anew.get(`/v1/webhooks/${webhook.id}`)).body.webhook.disabled_reason).toBe('access_revoked');
    for (const refused of [
      await register(anew, 'https://receiver.example/new'),
      await anew.patch(`/v1/webhooks/${webhook.id}`, { state: 'active' }),
      await anew.get(NO_DELIVERY),
    ])
      expect([refused.status, refused.body.error]).toEqual([403, 'insufficient_scope']);
    expect((await person.get('/profile')).html).not.toContain('receives records');
  });
});

const linesOf = (text = ''): string[] => text.split('\n').filter((line) => line.startsWith('- '));
