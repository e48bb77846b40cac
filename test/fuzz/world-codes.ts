import { TwoFactorService } from '#libs/access';
import { PASSWORD } from '../oauth/support/oauth-desk.js';
import { Person, csrfOf } from '../oauth/support/person.js';
import { codeAt } from '#test/support/authenticator.js';
import type { SeededAccount, SeededAgent } from '#test/support/seed.js';
import type { WorldAccess } from './world-access.js';
import type { Challenged, CodeHolder } from './world.js';

const STEP_MS = 30_000;

interface Enrolled {
  readonly key: string;
  readonly recoveryCode: string;
}

/** Sets up two-factor sign-in by the services of the API, because only the first response shows a key. */
export class WorldCodes {
  private readonly twoFactor: TwoFactorService;

  constructor(
    private readonly access: WorldAccess,
    private readonly base: string,
  ) {
    this.twoFactor = access.get(TwoFactorService);
  }

  /** Each form of two-factor sign-in uses a quarter of these agents, and no other request does. */
  async give(account: SeededAccount, agents: readonly SeededAgent[]) {
    const ofQuarter = <T>(nth: number, give: (agent: SeededAgent) => Promise<T>): Promise<T[]> =>
      Promise.all(agents.filter((_agent, at) => at % 4 === nth).map(give));
    return {
      settingUpCodes: await ofQuarter(0, async (agent): Promise<CodeHolder> => {
        const key = await this.start(account, agent);
        return { key, session: await this.access.session(account, agent) };
      }),
      codeHolders: await ofQuarter(1, async (agent): Promise<CodeHolder> => {
        const { key } = await this.enrol(account, agent);
        return { key, session: await this.access.session(account, agent) };
      }),
      challenged: await ofQuarter(2, (agent) => this.challenged(account, agent)),
      resettable: await ofQuarter(3, async (agent) => {
        await this.enrol(account, agent);
        return agent.id;
      }),
    };
  }

  private async challenged(account: SeededAccount, agent: SeededAgent): Promise<Challenged> {
    const enrolled = await this.enrol(account, agent);
    const person = new Person(this.base);
    await person.signIn(agent.email, PASSWORD);
    const csrf = csrfOf(await person.get('/sign-in/code'));
    return { ...enrolled, csrf, cookie: person.cookieHeader };
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
}

/** Without a session, since none exists that would have to end. */
const ownerOf = (accountId: string, agentId: string) => ({
  accountId,
  agentId,
  sessionId: agentId,
  applicationId: null,
  requestId: null,
});
