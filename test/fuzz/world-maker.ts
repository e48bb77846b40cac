import { readSettings } from '#libs/settings';
import { createLogger } from '#libs/telemetry';
import type { INestApplicationContext } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { ApiModule } from '../../apps/api/src/api.module.js';
import { ApiClient } from '#test/support/api-client.js';
import { type SeededAccount, type SeededAgent, seedAccount, seedAgent } from '#test/support/seed.js';
import type { FuzzedProduct } from './fuzzed-product.js';
import { WorldAccess } from './world-access.js';
import { WorldCodes } from './world-codes.js';
import { keptViews } from './world-views.js';
import { fillAccount, readWords } from './world-records.js';
import { type World, markOf } from './world.js';

const SPARE_AGENTS = 6;
const AGENTS_WITH_CODES = 12;
const CODES = 16;
const PAIRS = 8;
const VISITS_TO_FINISH = 2;
const TICKETS = 50;
const TICKETS_OF_OTHERS = 3;

/** Creates a world for each round. All worlds share the applications. */
export class WorldMaker {
  private constructor(
    private readonly product: FuzzedProduct,
    private readonly app: INestApplicationContext,
    private readonly access: WorldAccess,
    private readonly codes: WorldCodes,
    private readonly clients: World['clients'],
  ) {}

  static async open(product: FuzzedProduct): Promise<WorldMaker> {
    const module = ApiModule.forRoot(readSettings(product.environment), createLogger('fuzz', 'silent'));
    const app = await NestFactory.createApplicationContext(module, { logger: false, abortOnError: false });
    const access = new WorldAccess(app, product.sql, product.processes.api.base);
    const [ours, another] = [await access.application('Ours'), await access.application('Another')];
    const codes = new WorldCodes(app, product.processes.api.base);
    return new WorldMaker(product, app, access, codes, { ours, another, disabled: await access.disabledApplication() });
  }

  async make(): Promise<World> {
    const { sql, receiverUrl } = this.product;
    const [ours, theirs, bystander] = [await seedAccount(sql), await seedAccount(sql), await seedAccount(sql)];
    const staff = { theirs, admin: await this.agent(ours, 'admin'), agent: await this.agent(ours, 'agent') };
    const [spares, withCodes] = [await this.agents(ours, SPARE_AGENTS), await this.agents(ours, AGENTS_WITH_CODES)];
    for (const account of [ours, theirs, bystander]) await this.nameByMark(account);
    const twin = await this.twin(ours, theirs);
    for (const account of [ours, theirs]) await this.access.givePasswords(account);
    for (const account of [theirs, bystander]) await fillAccount(this.client(account), account, TICKETS_OF_OTHERS);
    await fillAccount(this.client(ours), ours, TICKETS, receiverUrl);
    const { resettable, ...codes } = await this.codes.give(ours, withCodes);
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
        'agents with a code': resettable.map(({ id }) => id),
        views: [...(await keptViews(this.app, ours)), ...(await keptViews(this.app, theirs)).slice(0, 1)],
        links: await this.access.links(ours, spares),
        tokens: await this.access.personalTokens(ours, SPARE_AGENTS),
        applications: [this.clients.ours.id, this.clients.another.id],
      },
      clients: this.clients,
      codes: await this.access.codes(ours, this.clients.ours, CODES),
      refreshTokens: pairs.map(({ refresh_token }) => refresh_token),
      accessTokens: pairs.map(({ access_token }) => access_token),
      receiverUrl,
      metricsToken: this.product.environment['METRICS_TOKEN']!,
    };
  }

  close(): Promise<void> {
    return this.app.close();
  }

  private client({ owner }: SeededAccount): ApiClient {
    return new ApiClient(this.product.processes.api.base, owner.token);
  }

  /** One email address that signs in to two accounts. */
  private async twin(ours: SeededAccount, theirs: SeededAccount): Promise<SeededAgent> {
    const email = `twin-${ours.id.slice(-8)}@acme.test`;
    await seedAgent(this.product.sql, theirs.id, { email });
    return seedAgent(this.product.sql, ours.id, { email });
  }

  private async agents(account: SeededAccount, count: number): Promise<SeededAgent[]> {
    const agents: SeededAgent[] = [];
    while (agents.length < count) agents.push(await this.agent(account, 'agent'));
    return agents;
  }

  private agent({ id }: SeededAccount, role: 'admin' | 'agent'): Promise<SeededAgent> {
    return seedAgent(this.product.sql, id, { role });
  }

  private async nameByMark({ id }: SeededAccount): Promise<void> {
    await this.product.sql.query('update accounts set name = $2 where id = $1', [id, markOf(id)]);
    await this.product.sql.query('update agents set last_name = $2 where account_id = $1', [id, markOf(id)]);
  }
}
