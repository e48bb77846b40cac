import { GrantsService } from '#libs/access';
import { beforeAll, describe, expect, it } from 'vitest';
import { ApiClient } from '#test/support/api-client.js';
import { eventually } from '#test/support/eventually.js';
import { type Choice, answerOf, submitConsent } from './support/consent.js';
import type { TestApplication } from './support/oauth-desk.js';
import { oauthDeskForFile } from './support/oauth-desk-for-file.js';
import type { Person } from './support/person.js';
import type { Tokens } from './support/pkce.js';

const oauth = oauthDeskForFile();

interface Someone {
  readonly id: string;
  readonly person: Person;
}

async function someone(): Promise<Someone> {
  const { id, email } = await oauth.agent();
  return { id, person: await oauth.person(email) };
}

async function consent({ person }: Someone, scope: string, choice: Choice = {}) {
  const path = oauth.authorizePath({ scope, prompt: 'consent' });
  const { code } = answerOf(await submitConsent(person, path, choice));
  return (await oauth.exchange(code ?? '')).body as Tokens;
}

const listed = ({ id }: Someone) => oauth.desk.api.get(GrantsService).list(oauth.desk.account.id, id);

const revoke = (token: string, app: TestApplication = oauth.app) =>
  new ApiClient(oauth.base).post('/oauth/revoke', { client_id: app.clientId, client_secret: app.secret, token });

const revokeAll = ({ id }: Someone) =>
  oauth.desk.api.get(GrantsService).revokeApplication(oauth.desk.account.id, oauth.app.id, { by: id, grantedBy: id });

describe('a second consent', () => {
  it('adds to the access of the application, and tokens keep their own scopes', async () => {
    const who = await someone();
    const first = await consent(who, 'read');
    const second = await consent(who, 'tickets:write');

    const rows = await listed(who);
    expect(rows.map(({ scopes }) => [...scopes].sort())).toEqual([['read', 'tickets:write']]);
    expect((await oauth.refresh(first.refresh_token)).body.scope).toBe('read');
    expect((await oauth.refresh(second.refresh_token)).body.scope).toBe('tickets:write');
    expect((await oauth.desk.client(second.access_token).get('/v1/tickets')).status).toBe(403);
  });

  it('may come ten times at once', async () => {
    const who = await someone();
    const scopes = ['read', 'write', 'webhooks', 'admin', 'settings'];
    const given = await Promise.all([...scopes, ...scopes].map((scope) => consent(who, scope)));

    expect(given.map(({ scope }) => scope)).toEqual([...scopes, ...scopes]);
    const rows = await listed(who);
    expect(rows.map((row) => [...row.scopes].sort())).toEqual([[...scopes].sort()]);
  });

  it('replaces the duration', async () => {
    const who = await someone();
    const { refresh_token } = await consent(who, 'read');
    await consent(who, 'read', { duration: '24h' });
    oauth.desk.clock.advance({ hours: 25 });

    expect((await oauth.refresh(refresh_token)).body.error).toBe('invalid_grant');
    expect(await listed(who)).toEqual([]);
  });
});

describe('the revocation of a refresh token', () => {
  it('ends the tokens of its sign-in, and the access with the last of them', async () => {
    const who = await someone();
    const [first, second] = [await consent(who, 'read'), await consent(who, 'read')];
    const refreshed = (await oauth.refresh(first.refresh_token)).body;
    await revoke(refreshed.refresh_token);

    expect(await oauth.works(first.access_token)).toBe(false);
    expect(await oauth.works(refreshed.access_token)).toBe(false);
    expect(await oauth.works(second.access_token)).toBe(true);
    await revoke(second.refresh_token);
    expect(await oauth.works(second.access_token)).toBe(false);
    const { rows } = await oauth.desk.sql.query(
      'select revoked_reason from grants where agent_id = $1 and application_id is not null',
      [who.id],
    );
    expect(rows).toEqual([{ revoked_reason: 'application' }]);
  });

  it('spares a sign-in whose code is not exchanged yet', async () => {
    const who = await someone();
    const first = await consent(who, 'read');
    const code = await oauth.code(who.person, { scope: 'read' });
    await revoke(first.refresh_token);

    expect((await oauth.exchange(code)).status).toBe(200);
  });
});

describe('consent after the access has expired', () => {
  it('starts with its own scopes, and revives no earlier token', async () => {
    const who = await someone();
    const unlimited = await consent(who, 'read write');
    const limited = await consent(who, 'read', { duration: '24h' });
    oauth.desk.clock.advance({ hours: 24, seconds: 1 });
    const again = await consent(who, 'tickets:read');

    expect((await listed(who)).map(({ scopes }) => scopes)).toEqual([['tickets:read']]);
    for (const { refresh_token } of [unlimited, limited])
      expect((await oauth.refresh(refresh_token)).body.error).toBe('invalid_grant');
    expect((await oauth.refresh(again.refresh_token)).status).toBe(200);
  });

  it('revives no webhook', async () => {
    const person = await oauth.colleague('admin');
    const who = { id: '', person };
    const { access_token } = await consent(who, 'read webhooks', { duration: '24h' });
    const hook = { event: 'ticket_started', url: 'https://receiver.example/expired' };
    const { webhook } = (await oauth.desk.client(access_token).post('/v1/webhooks', hook)).body;
    oauth.desk.clock.advance({ hours: 24, seconds: 1 });
    await consent(who, 'tickets:read');

    const { rows } = await oauth.desk.sql.query(
      'select g.revoked_at is not null as ended from webhooks w join grants g on g.id = w.grant_id where w.id = $1',
      [webhook.id],
    );
    expect(rows).toEqual([{ ended: true }]);
  });

  it('may come ten times at once', async () => {
    const who = await someone();
    await consent(who, 'read', { duration: '24h' });
    oauth.desk.clock.advance({ hours: 24, seconds: 1 });
    await Promise.all(Array.from({ length: 10 }, () => consent(who, 'tickets:read')));

    expect((await listed(who)).map(({ scopes }) => scopes)).toEqual([['tickets:read']]);
  });
});

describe('consent that was given', () => {
  let who: Someone;
  beforeAll(async () => {
    who = await someone();
    await consent(who, 'read webhooks');
  });
  const asked = async (extra: Record<string, string>) => (await who.person.get(oauth.authorizePath(extra))).status;

  it.each([
    ['the same', { scope: 'read webhooks' }, 303],
    ['less', { scope: 'read' }, 303],
    ['a member', { scope: 'tickets:read' }, 303],
    ['more', { scope: 'read write' }, 200],
    ['all', {}, 200],
    ['prompt=consent', { scope: 'read', prompt: 'consent' }, 200],
    ['prompt=select_account', { scope: 'read', prompt: 'select_account' }, 200],
  ])('is not asked for again by a client with a secret, unless it wants more: %s', async (_, extra, status) => {
    expect(await asked(extra)).toBe(status);
  });

  it('is recorded in the audit only when the person gives it', async () => {
    const asker = await someone();
    await consent(asker, 'read');
    await asker.person.get(oauth.authorizePath({ scope: 'read' }));

    const recorded = "select from activities where kind = 'application_authorised' and agent_id = $1";
    expect((await oauth.desk.sql.query(recorded, [asker.id])).rowCount).toBe(1);
  });

  it('keeps its duration when the application returns by itself', async () => {
    const limited = await someone();
    await consent(limited, 'read', { duration: '24h' });
    oauth.desk.clock.advance({ hours: 23 });
    const tokens = await oauth.tokens(limited.person, { scope: 'read' });
    oauth.desk.clock.advance({ hours: 1, seconds: 1 });

    expect(await oauth.works(tokens.access_token)).toBe(false);
    expect((await limited.person.get(oauth.authorizePath({ scope: 'read' }))).status).toBe(200);
  });

  it('is asked for again after a revocation', async () => {
    const other = await someone();
    await consent(other, 'read');
    await revokeAll(other);

    expect((await other.person.get(oauth.authorizePath({ scope: 'read' }))).status).toBe(200);
  });

  it('is asked for again if a revocation is committed while the application returns', async () => {
    const other = await someone();
    await consent(other, 'read');
    const { sql } = oauth.desk;
    await sql.query('begin');
    await sql.query(
      "update grants set revoked_at = now(), revoked_reason = 'person' where agent_id = $1 and application_id = $2",
      [other.id, oauth.app.id],
    );
    const returning = other.person.get(oauth.authorizePath({ scope: 'read' }));
    const isWaiting = async () => {
      const { rows } = await sql.query(
        "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
      );
      return rows.length > 0;
    };
    await eventually(isWaiting);
    await sql.query('commit');

    expect((await returning).status).toBe(200);
    expect(await listed(other)).toEqual([]);
  });
});
