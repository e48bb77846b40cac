import {
  ApplicationsService,
  GrantsService,
  PasswordsService,
  PersonalTokensService,
  SessionsService,
  SingleUseLinksService,
} from '#libs/access';
import { Database } from '#libs/database';
import type { Scope } from '#libs/entities';
import { SavedViewsService } from '#libs/tickets';
import type { Type } from '@nestjs/common';
import { type OAuthDesk, PASSWORD, REDIRECT_URI, type TestApplication } from '../oauth/support/oauth-desk.js';
import { Person, csrfOf } from '../oauth/support/person.js';
import { type SeededAccount, type SeededAgent, seedAgent, seedToken } from '#test/support/seed.js';
import { markOf } from './mark.js';
import type { Visit, World } from './world.js';

const SCOPES: readonly Scope[] = ['read', 'write', 'webhooks', 'admin'];

/** The callers in a world besides the owner. */
export interface Staff {
  readonly admin: SeededAgent;
  readonly agent: SeededAgent;
  /** The account that tries to read ours. */
  readonly theirs: SeededAccount;
}

/** Credentials of people and applications, issued by the services of the API, because no response shows them. */
export class WorldAccess {
  constructor(private readonly oauth: OAuthDesk) {}

  async disabledApplication(): Promise<TestApplication> {
    const client = await this.oauth.application({ name: 'Disabled' });
    await this.get(ApplicationsService).disable({ clientId: client.clientId });
    return client;
  }

  /** Copies one hash to the others, because hashing takes long. */
  async givePasswords({ id, owner }: SeededAccount): Promise<void> {
    await this.get(PasswordsService).set(id, owner.id, PASSWORD);
    await this.oauth.desk.sql.query(
      'update agents set password_hash = (select password_hash from agents where id = $2) where account_id = $1',
      [id, owner.id],
    );
  }

  async codes(ours: SeededAccount, client: TestApplication, count: number): Promise<string[]> {
    const consent = {
      applicationId: client.id,
      scopes: SCOPES,
      scopeRequested: false,
      audiences: ['api'] as const,
      redirectUri: client.redirectUri,
      expiresAt: null,
    };
    const codes: string[] = [];
    while (codes.length < count)
      codes.push(
        await this.get(GrantsService).grant(ours.id, { ...consent, agentId: ours.owner.id, codeChallenge: null }),
      );
    return codes;
  }

  /** Pairs of tokens, each of its own grant. */
  async pairs(ours: SeededAccount, client: TestApplication, count: number): Promise<readonly TokenPair[]> {
    const pairs: TokenPair[] = [];
    for (const code of await this.codes(ours, client, count))
      pairs.push((await this.oauth.exchange(code, {}, client)).body as TokenPair);
    return pairs;
  }

  async tokens(ours: SeededAccount, { admin, agent, theirs }: Staff, pair: TokenPair): Promise<World['tokens']> {
    const only = (scope: Scope) =>
      seedToken(this.oauth.desk.sql, { accountId: ours.id, agentId: ours.owner.id, scopes: [scope] });
    return {
      owner: ours.owner.token,
      admin: admin.token,
      agent: agent.token,
      application: pair.access_token,
      stranger: theirs.owner.token,
      'only read': await only('read'),
      'only write': await only('write'),
      'only webhooks': await only('webhooks'),
      'only admin': await only('admin'),
      'revoked token': await this.revokedToken(ours),
      'expired token': await this.expiredToken(ours),
      'archived agent': await this.tokenOfArchived(ours),
      'refresh token': pair.refresh_token,
    };
  }

  async sessions(ours: SeededAccount, { admin, agent, theirs }: Staff): Promise<World['sessions']> {
    const ended = await this.session(ours, ours.owner);
    await this.get(SessionsService).close(ended);
    return {
      owner: await this.session(ours, ours.owner),
      admin: await this.session(ours, admin),
      agent: await this.session(ours, agent),
      stranger: await this.session(theirs, theirs.owner),
      'signed out': ended,
    };
  }

  async session({ id: accountId }: SeededAccount, { id }: SeededAgent): Promise<string> {
    const browser = { userAgent: 'fuzz', address: '127.0.0.1' };
    return (await this.get(SessionsService).open({ accountId, id }, browser)).token;
  }

  /** Signed-out browsers, in which `email` has given the right password. */
  async visits(email: string | undefined, count: number): Promise<Visit[]> {
    const visits: Visit[] = [];
    while (visits.length < count) {
      const person = new Person(this.oauth.base);
      const page = await (email === undefined ? person.get('/sign-in') : person.signIn(email, PASSWORD));
      visits.push({ cookie: person.cookieHeader, csrf: csrfOf(page) });
    }
    return visits;
  }

  /** Paths at which an agent sets a password. */
  async links({ id }: SeededAccount, agents: readonly SeededAgent[]): Promise<string[]> {
    const links = await Promise.all(agents.map((agent) => this.get(SingleUseLinksService).issue(id, agent.id)));
    return links.flatMap((link) => (link ? [link.path] : []));
  }

  /** Client ids of applications that the account made. */
  async ownApplications({ id, owner }: SeededAccount, count: number): Promise<string[]> {
    const wanted = { name: `Own ${markOf(id)}`, redirectUris: [REDIRECT_URI], makerAccountId: id, by: owner.id };
    const make = () => this.get(Database).systemTransaction((tx) => this.get(ApplicationsService).create(tx, wanted));
    const made = await Promise.all(Array.from({ length: count }, make));
    return made.map(({ application }) => application.clientId);
  }

  /** Ids of personal tokens to revoke. */
  async personalTokens(ours: SeededAccount, count: number): Promise<string[]> {
    const made = Array.from({ length: count }, (_none, at) => this.personalToken(ours, `Spare ${at}`));
    return (await Promise.all(made)).map(({ id }) => id);
  }

  private personalToken({ id, owner }: SeededAccount, name: string) {
    const wanted = { agentId: owner.id, name, scopes: SCOPES };
    const tokens = this.get(PersonalTokensService);
    return this.get(Database)
      .account(id)
      .transaction((tx) => tokens.create(tx, wanted));
  }

  private async revokedToken(ours: SeededAccount): Promise<string> {
    const { id, token } = await this.personalToken(ours, 'Revoked');
    await this.get(PersonalTokensService).revoke(ours.id, id, 'person');
    return token;
  }

  private async expiredToken(ours: SeededAccount): Promise<string> {
    const { id, token } = await this.personalToken(ours, 'Expired');
    await this.oauth.desk.sql.query("update tokens set expires_at = now() - interval '1 day' where grant_id = $1", [
      id,
    ]);
    return token;
  }

  private async tokenOfArchived(ours: SeededAccount): Promise<string> {
    const { id, token } = await seedAgent(this.oauth.desk.sql, ours.id);
    await this.oauth.desk.client(ours.owner.token).post(`/v1/agents/${id}/archive`);
    return token;
  }

  /** Views of the account and of its owner. */
  async views({ id: accountId, owner }: SeededAccount, count: number): Promise<string[]> {
    const context = { accountId, agentId: owner.id, role: 'owner', applicationId: null, requestId: null } as const;
    const ids: string[] = [];
    for (let place = 0; place < count; place++) {
      const wanted = { name: `View ${place}`, query: 'folder=open&q=hello', shared: place % 2 === 0 };
      ids.push((await this.get(SavedViewsService).save(context, wanted)).id);
    }
    return ids;
  }

  get<T>(service: Type<T>): T {
    return this.oauth.desk.api.get(service, { strict: false });
  }
}

export interface TokenPair {
  readonly access_token: string;
  readonly refresh_token: string;
}
