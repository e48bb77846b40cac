import { SessionsService, TwoFactorService } from '#libs/access';
import type { INestApplicationContext } from '@nestjs/common';
import { Person, csrfOf } from '../oauth/support/person.js';
import { codeAt } from '#test/support/authenticator.js';
import type { SeededAccount, SeededAgent } from '#test/support/seed.js';
import { type Challenged, type CodeHolder, PASSWORD } from './world.js';

const STEP_MS = 30_000;
const BROWSER = { userAgent: 'fuzz', address: '127.0.0.1' };

interface Enrolled {
  readonly key: string;
  readonly recoveryCode: string;
}

/** Sets up two-factor sign-in by the services of the API, because only the first response shows a key. */
export class WorldCodes {
  private readonly twoFactor: TwoFactorService;
  private readonly sessions: SessionsService;

  constructor(
    app: INestApplicationContext,
    private readonly base: string,
  ) {
    this.twoFactor = app.get(TwoFactorService, { strict: false });
    this.sessions = app.get(SessionsService, { strict: false });
  }

  /** Each form of two-factor sign-in uses a quarter of these agents, and no other request does. */
  async give(account: SeededAccount, agents: readonly SeededAgent[]) {
    const quarter = (nth: number): readonly SeededAgent[] => agents.filter((_agent, at) => at % 4 === nth);
    const resettable = quarter(3);
    await Promise.all(resettable.map((agent) => this.enrol(account, agent)));
    return {
      settingUpCodes: await this.settingUp(account, quarter(0)),
      codeHolders: await this.holders(account, quarter(1)),
      challenged: await this.challenged(account, quarter(2)),
      resettable,
    };
  }

  private settingUp(account: SeededAccount, agents: readonly SeededAgent[]): Promise<CodeHolder[]> {
    return Promise.all(
      agents.map(async (agent) => ({
        key: await this.start(account, agent),
        session: await this.open(account, agent),
      })),
    );
  }

  private holders(account: SeededAccount, agents: readonly SeededAgent[]): Promise<CodeHolder[]> {
    return Promise.all(
      agents.map(async (agent) => {
        const { key } = await this.enrol(account, agent);
        return { key, session: await this.open(account, agent) };
      }),
    );
  }

  private challenged(account: SeededAccount, agents: readonly SeededAgent[]): Promise<Challenged[]> {
    return Promise.all(
      agents.map(async (agent) => {
        const enrolled = await this.enrol(account, agent);
        const person = new Person(this.base);
        await person.signIn(agent.email, PASSWORD);
        const csrf = csrfOf(await person.get('/sign-in/code'));
        return { ...enrolled, csrf, cookie: person.cookieHeader };
      }),
    );
  }

  private async start({ id: accountId }: SeededAccount, { id: agentId }: SeededAgent): Promise<string> {
    await this.twoFactor.start(ownerOf(accountId, agentId));
    const state = await this.twoFactor.read(accountId, agentId);
    if (state.kind !== 'setting_up') throw new Error(`Two-factor sign-in is ${state.kind} after it was begun.`);
    return state.secret;
  }

  /** Uses the code before the current one, which is left for the requests. */
  private async enrol(account: SeededAccount, agent: SeededAgent): Promise<Enrolled> {
    const key = await this.start(account, agent);
    const code = codeAt(key, new Date(Date.now() - STEP_MS));
    const [recoveryCode = ''] = await this.twoFactor.confirm(ownerOf(account.id, agent.id), code);
    return { key, recoveryCode };
  }

  private async open({ id: accountId }: SeededAccount, { id }: SeededAgent): Promise<string> {
    return (await this.sessions.open({ accountId, id }, BROWSER)).token;
  }
}

/** Without a session, since none exists that would have to end. */
const ownerOf = (accountId: string, agentId: string) => ({
  accountId,
  agentId,
  sessionId: agentId,
  applicationId: null,
  requestId: null,
});
