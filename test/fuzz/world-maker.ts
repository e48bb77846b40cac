import { ApiClient } from '#test/support/api-client.js';
import { type SeededAccount, type SeededAgent, seedAccount, seedAgent } from '#test/support/seed.js';
import { type FuzzedProduct, METRICS_TOKEN } from './fuzzed-product.js';
import { markOf } from './mark.js';
import { WorldAccess } from './world-access.js';
import { WorldCodes } from './world-codes.js';
import { fillAccount, readWords } from './world-records.js';
import type { World } from './world.js';

const SPARE_AGENTS = 6;
const AGENTS_WITH_CODES = 12;
const CODES = 16;
const PAIRS = 8;
const VISITS_TO_FINISH = 2;
const VIEWS = 6;
const OWN_APPLICATIONS = 8;
const TICKETS = 50;
const TICKETS_OF_OTHERS = 3;

/** Creates a world for each round. All worlds share the applications. */
export class WorldMaker {
  private constructor(
    private readonly product: FuzzedProduct,
    private readonly access: WorldAccess,
    private readonly clients: World['clients'],
  ) {}

  static async open(product: FuzzedProduct): Promise<WorldMaker> {
    const access = new WorldAccess(product.oauth);
    const [ours, another] = [product.oauth.app, await product.oauth.application({ name: 'Another' })];
    return new WorldMaker(product, access, { ours, another, disabled: await access.disabledApplication() });
  }

  async make(): Promise<World> {
    const { oauth, receiver } = this.product;
    const { sql } = oauth.desk;
    const [ours, theirs, bystander] = [await seedAccount(sql), await seedAccount(sql), await seedAccount(sql)];
    const staff = { theirs, admin: await this.agent(ours, 'admin'), agent: await this.agent(ours, 'agent') };
    const [spares, withCodes] = [await this.agents(ours, SPARE_AGENTS), await this.agents(ours, AGENTS_WITH_CODES)];
    for (const account of [ours, theirs, bystander]) await this.nameByMark(account);
    const twin = await this.twin(ours, theirs);
    for (const account of [ours, theirs]) await this.access.givePasswords(account);
    for (const account of [theirs, bystander]) await fillAccount(this.client(account), account, TICKETS_OF_OTHERS);
    await fillAccount(this.client(ours), ours, TICKETS, receiver.url);
    const { resettable, ...codes } = await new WorldCodes(this.access, oauth.base).give(ours, withCodes);
    const pairs = await this.access.pairs(ours, this.clients.ours, PAIRS);
    const words = await readWords(this.client(ours), [this.client(theirs), this.client(bystander)]);
    return {
      accounts: { ours: ours.id, theirs: theirs.id, bystander: bystander.id },
      tokens: await this.access.tokens(ours, staff, (await this.access.pairs(ours, this.clients.another, 1))[0]!),
      sessions: await this.access.sessions(ours, staff),
      spareSessions: await Promise.all(spares.map((spare) => this.access.session(ours, spare))),
      staffEmails: [ours.owner.email, ...spares.map(({ email }) => email)],
      visit: (await this.access.visits(undefined, 1))[0]!,
      visitsToFinish: await this.access.visits(twin.email, VISITS_TO_FINISH),
      twin: twin.id,
      ...codes,
      words: {
        ...words,
        'agents with a code': resettable,
        views: [...(await this.access.views(ours, VIEWS)), ...(await this.access.views(theirs, 1))],
        links: await this.access.links(ours, spares),
        tokens: await this.access.personalTokens(ours, SPARE_AGENTS),
        applications: [this.clients.ours.id, this.clients.another.id],
        'own applications': [
          ...(await this.access.ownApplications(ours, OWN_APPLICATIONS)),
          ...(await this.access.ownApplications(theirs, 1)),
        ],
      },
      clients: this.clients,
      codes: await this.access.codes(ours, this.clients.ours, CODES),
      refreshTokens: pairs.map(({ refresh_token }) => refresh_token),
      accessTokens: pairs.map(({ access_token }) => access_token),
      receiverUrl: receiver.url,
      metricsToken: METRICS_TOKEN,
    };
  }

  private client({ owner }: SeededAccount): ApiClient {
    return new ApiClient(this.product.processes.api.base, owner.token);
  }

  /** One email address that signs in to two accounts. */
  private async twin(ours: SeededAccount, theirs: SeededAccount): Promise<SeededAgent> {
    const email = `twin-${ours.id.slice(-8)}@acme.test`;
    await seedAgent(this.product.oauth.desk.sql, theirs.id, { email });
    return seedAgent(this.product.oauth.desk.sql, ours.id, { email });
  }

  private async agents(account: SeededAccount, count: number): Promise<SeededAgent[]> {
    const agents: SeededAgent[] = [];
    while (agents.length < count) agents.push(await this.agent(account, 'agent'));
    return agents;
  }

  private agent({ id }: SeededAccount, role: 'admin' | 'agent'): Promise<SeededAgent> {
    return seedAgent(this.product.oauth.desk.sql, id, { role });
  }

  private async nameByMark({ id }: SeededAccount): Promise<void> {
    await this.product.oauth.desk.sql.query('update accounts set name = $2 where id = $1', [id, markOf(id)]);
    await this.product.oauth.desk.sql.query('update agents set last_name = $2 where account_id = $1', [id, markOf(id)]);
  }
}
