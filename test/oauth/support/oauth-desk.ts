import { ApplicationsService, PasswordsService } from '#libs/access';
import { Database } from '#libs/database';
import type { AgentRole, Scope } from '#libs/entities';
import { freePort } from '../../../apps/launcher/src/ports.js';
import { ApiClient } from '#test/support/api-client.js';
import { type Desk, type DeskOptions, startDesk } from '#test/support/desk.js';
import { type SeededAgent, seedAgent } from '#test/support/seed.js';
import { Person } from './person.js';

export const PASSWORD = 'correct horse battery';
export const REDIRECT_URI = 'https://app.example/callback?from=deskwire';

export interface TestApplication {
  readonly id: string;
  readonly clientId: string;
  readonly secret: string;
  readonly redirectUri: string;
}

interface ApplicationOptions {
  readonly name?: string;
  readonly redirectUris?: readonly string[];
  readonly scopes?: readonly Scope[];
  readonly isPublic?: boolean;
  /** Made by this account, and not approved. */
  readonly makerAccountId?: string;
}

/** A desk that knows its public address, as issuers must, with an application and an owner who can sign in. */
export class OAuthDesk {
  private constructor(
    readonly desk: Desk,
    readonly app: TestApplication,
  ) {}

  static async start(
    settings: Readonly<Record<string, string>> = {},
    options: Pick<DeskOptions, 'databaseServer'> = {},
  ): Promise<OAuthDesk> {
    const port = String(await freePort());
    const address = { PORT: port, PUBLIC_URL: `http://127.0.0.1:${port}` };
    const desk = await startDesk({ ...options, settings: { ...address, ...settings } });
    await givePassword(desk, desk.account.id, desk.account.owner.id);
    return new OAuthDesk(desk, await issueApplication(desk));
  }

  get base(): string {
    return this.desk.base;
  }

  application(options: ApplicationOptions): Promise<TestApplication> {
    return issueApplication(this.desk, options);
  }

  async agent(accountId = this.desk.account.id, email?: string): Promise<SeededAgent> {
    const agent = await seedAgent(this.desk.sql, accountId, email ? { email } : {});
    await givePassword(this.desk, accountId, agent.id);
    return agent;
  }

  /** Signs in as a new agent of this role. */
  async colleague(role: AgentRole, accountId = this.desk.account.id): Promise<Person> {
    const { id, email } = await seedAgent(this.desk.sql, accountId, { role });
    await givePassword(this.desk, accountId, id);
    return this.person(email);
  }

  /** Signs in as the owner by default. */
  async person(email = this.desk.account.owner.email): Promise<Person> {
    const person = new Person(this.base);
    await person.signIn(email, PASSWORD);
    return person;
  }

  authorizePath(extra: Record<string, string> = {}, app = this.app): string {
    const request = { client_id: app.clientId, response_type: 'code', redirect_uri: app.redirectUri, ...extra };
    return `/oauth/authorize?${new URLSearchParams(request).toString()}`;
  }

  /** Returns a code, as the application receives it after the person allows access. */
  async code(person: Person, extra: Record<string, string> = {}, app = this.app): Promise<string> {
    const answer = await person.decide(this.authorizePath(extra, app), 'allow');
    return answer.searchParams.get('code') ?? '';
  }

  token(body: Record<string, unknown>, app = this.app) {
    const credentials = { client_id: app.clientId, client_secret: app.secret };
    return new ApiClient(this.base).post('/oauth/token', { ...credentials, ...body });
  }

  exchange(code: string, extra: Record<string, unknown> = {}, app = this.app) {
    return this.token({ grant_type: 'authorization_code', redirect_uri: app.redirectUri, code, ...extra }, app);
  }

  refresh(refreshToken: string, extra: Record<string, unknown> = {}, app = this.app) {
    return this.token({ grant_type: 'refresh_token', refresh_token: refreshToken, ...extra }, app);
  }

  /** Returns the tokens of a new grant. */
  async tokens(person: Person, extra: Record<string, string> = {}, app = this.app) {
    const { body } = await this.exchange(await this.code(person, extra, app), {}, app);
    return body as { access_token: string; refresh_token: string; scope?: string };
  }

  /** Whether the API accepts this access token. */
  async works(token: string): Promise<boolean> {
    const { status } = await new ApiClient(this.base, token).get('/v1/tickets/1');
    return status !== 401;
  }

  stop = (): Promise<void> => this.desk.stop();
}

async function issueApplication(desk: Desk, options: ApplicationOptions = {}): Promise<TestApplication> {
  const { name = 'Ticket Mirror', redirectUris = [REDIRECT_URI], ...others } = options;
  const wanted = { name, redirectUris, ...others };
  const { application, clientSecret } = await desk.api
    .get(Database)
    .systemTransaction((tx) => desk.api.get(ApplicationsService).create(tx, wanted));
  const { id, clientId } = application;
  return { id, clientId, secret: clientSecret ?? '', redirectUri: redirectUris[0] ?? '' };
}

const givePassword = (desk: Desk, accountId: string, agentId: string): Promise<unknown> =>
  desk.api.get(PasswordsService).set(accountId, agentId, PASSWORD);
