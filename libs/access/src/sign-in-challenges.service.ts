import { Clock, Database, accountStatement, filter, systemStatement } from '#libs/database';
import type { Agent } from '#libs/entities';
import { Injectable } from '@nestjs/common';
import { isStillVersion, passwordVersion } from './password-version.js';
import { type CodeResult, SecondFactorsService } from './second-factors.service.js';
import { digest, randomToken } from './secrets.js';

type AgentOfAccount = Pick<Agent, 'id' | 'accountId' | 'email'>;

/** Who has to give a code. The version of the password is that of the one that was given or set. */
type Challenged = Pick<Agent, 'id' | 'accountId'> & { readonly passwordVersion: Buffer | null };

/** As long as it takes to look for the phone. */
const LIFE_MS = 10 * 60_000;
/** Then the password is needed again. */
const MAX_TRIES = 5;

/** Locks the agent, as whatever ends challenges does: a change of password either ends this one or keeps it away. */
const OPEN = accountStatement(
  'challenge_open',
  `insert into sign_in_challenges (hash, account_id, agent_id, return_to, expires_at)
   select $2, $1, id, $4, $5 from agents where id = $3 and ${filter('account_id = $1')} and state = 'active'
     and ${isStillVersion('agents', '$6')} for no key update`,
);

const REASON = 'Whoever answers has not yet shown which account is meant';
const OPEN_STILL = `hash = $1 and expires_at > $2 and tries < ${MAX_TRIES}`;

const FIND = systemStatement('challenge_find', REASON, `select 1 from sign_in_challenges where ${OPEN_STILL}`);

/** Counted before it is compared: of many answers sent at once, five are looked at. */
const TRY = systemStatement(
  'challenge_try',
  REASON,
  `update sign_in_challenges c set tries = tries + 1 from agents a where a.id = c.agent_id and ${OPEN_STILL}
   returning c.account_id as "accountId", a.id, a.email, ${MAX_TRIES} - tries as left`,
);

/** While there is a challenge, the password is still the one that was given. */
const END = systemStatement(
  'challenge_end',
  REASON,
  `delete from sign_in_challenges c using agents a where c.hash = $1 and a.id = c.agent_id
   returning c.return_to as "returnTo", ${passwordVersion('a')} as "passwordVersion"`,
);

interface EndedChallenge {
  readonly returnTo: string;
  readonly passwordVersion: Buffer | null;
}

interface OpenChallenge {
  readonly token: string;
  readonly expiresAt: Date;
}

/** What the person typed, as one or the other kind of code. From where: see `CodeHolder`. */
export interface ChallengeAnswer {
  readonly kind: 'code' | 'recovery_code';
  readonly typed: string;
  readonly from: (email: string) => string;
}

export type ChallengeResult =
  | { readonly kind: 'passed'; readonly agent: AgentOfAccount & Challenged; readonly returnTo: string }
  | { readonly kind: 'refused'; readonly triesLeft: number }
  | { readonly kind: 'over' }
  | Extract<CodeResult, { kind: 'throttled' }>;

/** Sign-ins between the password and the code. Such a browser is not signed in, and can do nothing but answer. */
@Injectable()
export class SignInChallengesService {
  constructor(
    private readonly database: Database,
    private readonly secondFactors: SecondFactorsService,
    private readonly clock: Clock,
  ) {}

  /** Nothing for an agent who needs no code. */
  async openIfNeeded(agent: Challenged, returnTo: string): Promise<OpenChallenge | undefined> {
    return (await this.secondFactors.isOn(agent.accountId, agent.id)) ? this.open(agent, returnTo) : undefined;
  }

  /** Under a new secret, so that what was in the browser before is worth nothing. */
  private async open(agent: Challenged, returnTo: string): Promise<OpenChallenge> {
    const token = randomToken();
    const expiresAt = this.clock.in(LIFE_MS);
    const values = [digest(token), agent.id, returnTo, expiresAt, agent.passwordVersion];
    await this.database.account(agent.accountId).rows(OPEN, values);
    return { token, expiresAt };
  }

  async isOpen(token: string): Promise<boolean> {
    return (await this.database.system().row(FIND, [digest(token), this.clock.now()])) !== undefined;
  }

  /** Passed once: whoever answers at the same moment with another right code is too late. */
  async answer(token: string, answer: ChallengeAnswer): Promise<ChallengeResult> {
    const hash = digest(token);
    type Tried = AgentOfAccount & { left: number };
    const tried = await this.database.system().row<Tried>(TRY, [hash, this.clock.now()]);
    if (!tried) return { kind: 'over' };
    const { left, ...agent } = tried;
    const result = await this.compare(agent, answer);
    if (result.kind === 'throttled') return result;
    if (result.kind === 'refused') return left > 0 ? { kind: 'refused', triesLeft: left } : { kind: 'over' };
    const ended = await this.database.system().row<EndedChallenge>(END, [hash]);
    if (!ended) return { kind: 'over' };
    const { returnTo, passwordVersion: version } = ended;
    return { kind: 'passed', agent: { ...agent, passwordVersion: version }, returnTo };
  }

  private async compare(
    { accountId, id, email }: AgentOfAccount,
    { kind, typed, from }: ChallengeAnswer,
  ): Promise<CodeResult> {
    const holder = { accountId, agentId: id, from: from(email) };
    if (kind === 'code') return this.secondFactors.acceptCode(holder, typed);
    return { kind: (await this.secondFactors.acceptRecoveryCode(holder, typed)) ? 'accepted' : 'refused' };
  }
}
