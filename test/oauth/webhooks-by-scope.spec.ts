import { ApplicationsService } from '#libs/access';
import { beforeAll, describe, expect, it } from 'vitest';
import { seedToken } from '#test/support/seed.js';
import { oauthDeskForFile } from './support/oauth-desk-for-file.js';
import type { TestApplication } from './support/oauth-desk.js';
import type { Person } from './support/person.js';

const oauth = oauthDeskForFile();
let hooks = 0;
const register = (token: string, ...events: string[]) =>
  oauth.desk.client(token).post('/v1/webhooks', { events, url: `https://receiver.example/${++hooks}` });

describe('a token that reads some records', () => {
  it.each([
    ['tickets:read', 'ticket_started', 201, ''],
    ['tickets:read', 'note_added', 201, ''],
    ['tickets:read', 'customer_added', 403, 'customers:read'],
    ['tickets:read customers:read', 'customer_added', 201, ''],
    ['customers:read', 'ticket_started', 403, 'tickets:read'],
    ['people:read', 'ticket_started', 403, 'tickets:read'],
    ['read', 'customer_added', 201, ''],
  ])('registers webhooks for those only: %s and webhooks for %s', async (scope, event, status, missing) => {
    const { access_token } = await oauth.tokens(await oauth.colleague('owner'), { scope: `${scope} webhooks` });
    const answer = await register(access_token, event);

    expect(answer.status).toBe(status);
    const challenge = answer.headers.get('www-authenticate') ?? '';
    expect(/scope="([^"]*)"/.exec(challenge)?.[1] ?? '').toBe(missing);
  });

  it('registers none of several if it may not read one', async () => {
    const { account, sql } = oauth.desk;
    const grant = { accountId: account.id, agentId: account.owner.id };
    const token = await seedToken(sql, { ...grant, scopes: ['tickets:read', 'webhooks'] });

    expect((await register(token, 'ticket_started', 'customer_added')).status).toBe(403);
    expect((await oauth.desk.client(token).get('/v1/webhooks')).body.webhooks).toEqual([]);
  });
});

describe('an application that the operator has not approved', () => {
  let app: TestApplication;
  let agent: Person;
  beforeAll(async () => {
    app = await oauth.application({ makerAccountId: oauth.desk.account.id });
    agent = await oauth.colleague('agent');
  });
  const registerAs = async (person: Person) =>
    register((await oauth.tokens(person, {}, app)).access_token, 'ticket_started');

  it('registers webhooks for owners and admins, and after the approval for agents', async () => {
    const refused = await registerAs(agent);
    const managed = [
      await registerAs(await oauth.colleague('owner')),
      await registerAs(await oauth.colleague('admin')),
    ];
    await oauth.desk.api.get(ApplicationsService).approve({ clientId: app.clientId });
    const approved = await registerAs(agent);

    expect([refused.status, refused.body.error]).toEqual([403, 'role_not_allowed']);
    expect([...managed, approved].map(({ status }) => status)).toEqual([201, 201, 201]);
  });
});
