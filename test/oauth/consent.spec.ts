import type { Scope } from '#libs/entities';
import { beforeAll, describe, expect, it } from 'vitest';
import { seedAccount } from '#test/support/seed.js';
import { DeskUpkeep } from '#test/support/upkeep.js';
import { type Choice, answerOf, submitConsent } from './support/consent.js';
import { oauthDeskForFile } from './support/oauth-desk-for-file.js';
import type { Person } from './support/person.js';
import type { Tokens } from './support/pkce.js';

const oauth = oauthDeskForFile();
let person: Person;
beforeAll(async () => {
  person = await oauth.person();
});

/** Shows the page whatever was allowed before. */
const asking = (scope = 'read write webhooks') => oauth.authorizePath({ scope, prompt: 'consent' });

const HOUR = 3_600;

async function consent(choice: Choice, path = asking(), by = person) {
  const { code } = answerOf(await submitConsent(by, path, choice));
  const answer = await oauth.exchange(code ?? '');
  return answer.body as Tokens & { readonly expires_in: number };
}

describe('the choice of permissions', () => {
  it('is named in the token response, and kept by the refresh token', async () => {
    const tokens = await consent({ scopes: ['read', 'webhooks'] });
    const { body } = await oauth.refresh(tokens.refresh_token);

    expect([tokens.scope, body.scope]).toEqual(['read webhooks', 'read webhooks']);
    expect((await oauth.desk.client(body.access_token).post('/v1/tickets', {})).status).toBe(403);
    expect((await oauth.refresh(body.refresh_token, { scope: 'write' })).body.error).toBe('invalid_scope');
  });

  it('is named if the application asked for no scopes, unless the person allowed all', async () => {
    const path = oauth.authorizePath({ prompt: 'consent' });

    expect((await consent({ scopes: ['read'] }, path)).scope).toBe('read');
    expect((await consent({ scopes: ['read', 'write', 'webhooks', 'admin'] }, path)).scope).toBeUndefined();
  });

  it.each([[[]], [['admin']], [['tickets:read']], [['', 'READ', '__proto__']]])(
    'shows the page again if it leaves nothing: %j',
    async (scopes) => {
      const page = await submitConsent(person, asking(), { scopes });

      expect([page.status, page.location]).toEqual([422, null]);
      expect(page.html).toContain('Choose at least one permission');
      expect(page.html).toContain('name="csrf"');
    },
  );

  it('cannot be more than what was asked for', async () => {
    expect((await consent({ scopes: ['admin', 'read', 'write', 'settings'] }, asking('read webhooks'))).scope).toBe(
      'read',
    );
  });
});

const clientOf = (...scopes: Scope[]) => oauth.application({ scopes });
const ofAll = (...scopes: Scope[]) => [scopes, scopes.join(' ')] as const;

describe('sets of scopes and their members', () => {
  it.each<[string, readonly [Scope[], string], string]>([
    ['a member of a set', [['read'], 'tickets:read'], 'tickets:read'],
    ['a set by all of its members', [['tickets:read', 'customers:read', 'people:read'], 'read'], 'read'],
    ['a set by some of its members', [['tickets:read', 'customers:read'], 'read'], 'invalid_scope'],
    ['a member beside its set', [['read'], 'read tickets:read'], 'read tickets:read'],
    ['a member of admin', [['admin'], 'settings people:read'], 'people:read settings'],
    ['admin by its members', [['people:read', 'webhooks', 'settings'], 'admin'], 'invalid_scope'],
    ['write by read', [['read'], 'tickets:write'], 'invalid_scope'],
    ['an unknown scope', [['read'], 'tickets:delete'], 'invalid_scope'],
    ['openid beside others', [['read', 'write'], 'openid read'], 'read'],
    ['openid alone', [['read'], 'openid'], 'undefined'],
  ])('may be requested: %s', async (_, [allowed, scope], expected) => {
    const app = await clientOf(...allowed);
    const { code = '', error } = answerOf(
      await submitConsent(person, oauth.authorizePath({ scope, prompt: 'consent' }, app), {}),
    );

    expect(error ?? `${(await oauth.exchange(code, {}, app)).body.scope}`).toBe(expected);
  });

  it.each<[readonly [readonly Scope[], string], string, string]>([
    [ofAll('read'), 'tickets:read', 'tickets:read'],
    [ofAll('read'), 'tickets:read people:read', 'tickets:read people:read'],
    [ofAll('tickets:read', 'customers:read', 'people:read'), 'read', 'read'],
    [ofAll('tickets:read'), 'read', 'invalid_scope'],
    [ofAll('admin'), 'webhooks', 'webhooks'],
    [ofAll('people:read', 'webhooks', 'settings'), 'admin', 'invalid_scope'],
    [ofAll('read', 'write'), 'openid', 'read write'],
    [ofAll('read'), 'openid tickets:read', 'tickets:read'],
    [ofAll('read'), 'tickets:delete', 'invalid_scope'],
    [ofAll('read'), 'read unknown', 'invalid_scope'],
    [ofAll('read'), 'read constructor', 'invalid_scope'],
    [ofAll('read'), '__proto__', 'invalid_scope'],
  ])('narrow a refresh: %j to %s', async ([, scope], wanted, expected) => {
    const { refresh_token } = await consent({}, asking(scope));
    const { body } = await oauth.refresh(refresh_token, { scope: wanted });

    expect(body.error ?? body.scope).toBe(expected);
    const spared = (body.refresh_token ?? refresh_token) as string;
    expect((await oauth.refresh(spared)).body.scope).toBe(scope);
  });
});

describe('an application of another account', () => {
  it('gets no access here, and shows nothing of it', async () => {
    const stranger = await seedAccount(oauth.desk.sql, { name: 'Initech' });
    const app = await oauth.application({ makerAccountId: stranger.id });
    const page = await person.get(oauth.authorizePath({}, app));
    const posted = await submitConsent(person, oauth.authorizePath({}, app), {});
    const silent = await person.get(oauth.authorizePath({ prompt: 'none' }, app));

    expect([page.status, page.location, posted.status]).toEqual([403, null, 403]);
    expect(page.html).not.toContain('Initech');
    expect([silent.status, silent.location]).toEqual([400, null]);
  });
});

describe('the chosen duration of access', () => {
  it.each([
    ['24h', 24],
    ['30d', 30 * 24],
  ])('ends all tokens: %s', async (duration, hours) => {
    const by = await oauth.person((await oauth.agent()).email);
    const first = await consent({ duration }, asking(), by);
    expect(first.expires_in).toBe(2 * HOUR);
    oauth.desk.clock.advance({ hours: hours - 0.5 });
    const last = (await oauth.refresh(first.refresh_token)).body;

    expect(last.expires_in).toBeGreaterThan(0.5 * HOUR - 30);
    expect(last.expires_in).toBeLessThanOrEqual(0.5 * HOUR);
    expect(await oauth.works(last.access_token)).toBe(true);
    oauth.desk.clock.advance({ hours: 0.5 });
    expect(await oauth.works(last.access_token)).toBe(false);
    expect((await oauth.refresh(last.refresh_token)).body.error).toBe('invalid_grant');
  });

  it('stops the webhooks of the application with the next upkeep', async () => {
    const { access_token } = await consent({ duration: '24h' }, asking(), await oauth.colleague('admin'));
    const { body } = await oauth.desk
      .client(access_token)
      .post('/v1/webhooks', { event: 'ticket_started', url: 'https://receiver.example/ends' });
    const upkeep = await DeskUpkeep.start(oauth.desk);
    const state = async () => {
      await upkeep.run('undeliverable');
      const { rows } = await oauth.desk.sql.query('select state, disabled_reason from webhooks where id = $1', [
        body.webhook.id,
      ]);
      return rows[0] as unknown;
    };

    expect(await state()).toMatchObject({ state: 'active' });
    oauth.desk.clock.advance({ hours: 24 });
    expect(await state()).toEqual({ state: 'disabled', disabled_reason: 'access_revoked' });
    await upkeep.stop();
  });

  it.each(['', '1h', '24H', '-1', 'constructor', '__proto__', 'toString'])(
    'is open-ended for the value %j, which no page offers',
    async (duration) => {
      const by = await oauth.person((await oauth.agent()).email);
      const { refresh_token } = await consent({ duration }, asking(), by);
      oauth.desk.clock.advance({ days: 29 });

      expect((await oauth.refresh(refresh_token)).body.expires_in).toBe(2 * HOUR);
    },
  );
});
