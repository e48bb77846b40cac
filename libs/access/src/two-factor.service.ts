import { type AccountTx, Transactions, later } from '#libs/database';
import {
  Agent,
  type AgentRole,
  Conflict,
  Forbidden,
  InvalidField,
  TWO_FACTOR_REQUIREMENTS,
  TWO_FACTOR_REQUIREMENT_WORDS,
  type TwoFactorRequirement,
  manages,
  existing,
} from '#libs/entities';
import { type Actor, insertActivity } from '#libs/events';
import { SecretBox } from '#libs/secret-box';
import { Injectable } from '@nestjs/common';
import { replaceRecoveryCodes } from './second-factors.service.js';
import { endSessions, signOutEverywhere } from './session.statements.js';
import { matchingStep, newTotpSecret, normalizeTotpCode } from './totp.js';
import {
  type Authenticator,
  confirmSetUp,
  findHolders,
  isTwoFactorRequired,
  readAuthenticator,
  readRequirement,
  removeAuthenticator,
  setRequirement,
  startSetUp,
} from './two-factor.statements.js';

interface TwoFactorOwner extends Actor {
  readonly accountId: string;
  readonly agentId: string;
  readonly sessionId: string;
}

/** `agentId` is null for the operator. */
interface TwoFactorManager extends Actor {
  readonly accountId: string;
  readonly role: AgentRole;
}

export type TwoFactorState =
  | { readonly kind: 'off' }
  | { readonly kind: 'setting_up'; readonly secret: string }
  | { readonly kind: 'on'; readonly since: Date; readonly recoveryCodesLeft: number };

const SET_UP_MS = 60 * 60_000;

/** Callers must have verified the password or a code. */
@Injectable()
export class TwoFactorService {
  constructor(
    private readonly transactions: Transactions,
    private readonly box: SecretBox,
  ) {}

  async read(accountId: string, agentId: string): Promise<TwoFactorState> {
    const row = await readAuthenticator(this.transactions.account({ accountId }), agentId);
    if (row?.confirmedAt) return { kind: 'on', since: row.confirmedAt, recoveryCodesLeft: row.recoveryCodesLeft };
    if (!row || this.isStale(row)) return { kind: 'off' };
    return { kind: 'setting_up', secret: this.box.open(row, agentId) };
  }

  async start({ accountId, agentId }: TwoFactorOwner): Promise<void> {
    const secret = { agentId, ...this.box.seal(newTotpSecret(), agentId) };
    const account = this.transactions.account({ accountId });
    if (!(await startSetUp(account, secret, this.transactions.now()))) throw alreadyOn();
  }

  /** Ends other sessions, which were opened without a code. Returns recovery codes. */
  confirm(owner: TwoFactorOwner, typed: string): Promise<string[]> {
    return this.change(owner, owner.agentId, 'two_factor_enabled', async (tx, { id }, now) => {
      const row = await readAuthenticator(tx, id);
      if (row?.confirmedAt) throw alreadyOn();
      if (!row || this.isStale(row)) throw expired();
      const step = matchingStep(this.box.open(row, id), normalizeTotpCode(typed) ?? '', now);
      if (step === null) throw wrongCode();
      if (!(await confirmSetUp(tx, { agentId: id, step, sealed: row.sealed }, now))) throw expired();
      await endSessions(tx, id, { except: owner.sessionId });
      return replaceRecoveryCodes(tx, id, now);
    });
  }

  replaceRecoveryCodes(owner: TwoFactorOwner): Promise<string[]> {
    return this.change(owner, owner.agentId, 'recovery_codes_replaced', async (tx, { id }, now) => {
      if (!(await readAuthenticator(tx, id))?.confirmedAt) throw isOff();
      return replaceRecoveryCodes(tx, id, now);
    });
  }

  async switchOff(owner: TwoFactorOwner): Promise<void> {
    await this.change(owner, owner.agentId, 'two_factor_disabled', async (tx, { id }) => {
      if (await isTwoFactorRequired(tx, id))
        throw new Forbidden('two_factor_required', 'Your account requires you to use two-factor sign-in.');
      await remove(tx, id);
    });
  }

  /** Ends every session, because the phone may be stolen. */
  async reset(by: TwoFactorManager, agentId: string): Promise<Agent> {
    if (!manages(by.role)) throw new Forbidden('role_not_allowed', 'Only owners and admins may do this.');
    if (by.agentId === agentId)
      throw new Forbidden('own_two_factor', 'Switch off your own two-factor sign-in on your profile.');
    return this.change(by, agentId, 'two_factor_reset', async (tx, agent) => {
      if (agent.role === 'owner' && by.role !== 'owner')
        throw new Forbidden('role_not_allowed', 'Only an owner may do this for an owner.');
      await remove(tx, agent.id);
      await signOutEverywhere(tx, agent.id);
      return agent;
    });
  }

  /** Everything that ends sessions locks the agent first. */
  private change<T>(
    by: Actor & { readonly accountId: string },
    agentId: string,
    kind: string,
    work: (tx: AccountTx, agent: Agent, now: Date) => Promise<T>,
  ): Promise<T> {
    return this.transactions.run(by, async (tx, now) => {
      const agent = existing(await tx.repository(Agent).lockForChange({ id: agentId }), 'agent');
      const result = await work(tx, agent, now);
      await insertActivity(tx, by, { kind, subject: agent.email }, now);
      return result;
    });
  }

  async requirement(accountId: string): Promise<TwoFactorRequirement> {
    return (await readRequirement(this.transactions.account({ accountId }))) ?? 'nobody';
  }

  holders(accountId: string): Promise<ReadonlySet<string>> {
    return findHolders(this.transactions.account({ accountId }));
  }

  /** An owner must have set it up before requiring it. */
  async require(by: TwoFactorManager, wanted: string): Promise<void> {
    if (by.role !== 'owner') throw new Forbidden('role_not_allowed', 'Only an owner may do this.');
    const requirement = TWO_FACTOR_REQUIREMENTS.find((known) => known === wanted);
    if (!requirement) throw new InvalidField('requirement', 'unknown_requirement', 'Choose one from the list.');
    await this.transactions.run(by, async (tx, now) => {
      const holders = await findHolders(tx);
      if (requirement !== 'nobody' && !holders.has(by.agentId ?? ''))
        throw new Conflict('set_it_up_first', 'Set up two-factor sign-in for yourself first, in your profile.');
      if (!(await setRequirement(tx, requirement))) return;
      const subject = TWO_FACTOR_REQUIREMENT_WORDS[requirement];
      const activity = { kind: 'two_factor_requirement_changed', subject, detail: { requirement } };
      await insertActivity(tx, by, activity, now);
    });
  }

  private isStale({ createdAt }: Authenticator): boolean {
    return later(createdAt, SET_UP_MS) < this.transactions.now();
  }
}

const wrongCode = () => new InvalidField('code', 'wrong_code', 'That code isn’t right. Check the time on your phone.');

const expired = () => new Conflict('two_factor_expired', 'Setting up two-factor sign-in took too long. Start again.');

async function remove(tx: AccountTx, agentId: string): Promise<void> {
  if (!(await removeAuthenticator(tx, agentId))) throw isOff();
}

const alreadyOn = () => new Conflict('two_factor_is_on', 'Two-factor sign-in is already on.');
const isOff = () => new Conflict('two_factor_is_off', 'Two-factor sign-in is off.');
