import { Clock, Database } from '#libs/database';
import type { Agent } from '#libs/entities';
import { Injectable } from '@nestjs/common';
import { type CodeResult, SecondFactorsService } from './second-factors.service.js';
import { digest, randomToken } from './secrets.js';
import { END_CHALLENGE, FIND_CHALLENGE, OPEN_CHALLENGE, TRY_CHALLENGE } from './sign-in.statements.js';

type AgentOfAccount = Pick<Agent, 'id' | 'accountId' | 'email'>;

type Challenged = Pick<Agent, 'id' | 'accountId'> & { readonly passwordVersion: Buffer | null };

const LIFE_MS = 10 * 60_000;
interface EndedChallenge {
  readonly returnTo: string;
  readonly passwordVersion: Buffer | null;
}

interface OpenChallenge {
  readonly token: string;
  readonly expiresAt: Date;
}

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

/** Sign-ins between password and code. The browser is not signed in yet. */
@Injectable()
export class SignInChallengesService {
  constructor(
    private readonly database: Database,
    private readonly secondFactors: SecondFactorsService,
    private readonly clock: Clock,
  ) {}

  async openIfNeeded(agent: Challenged, returnTo: string): Promise<OpenChallenge | undefined> {
    return (await this.secondFactors.isOn(agent.accountId, agent.id)) ? this.open(agent, returnTo) : undefined;
  }

  private async open(agent: Challenged, returnTo: string): Promise<OpenChallenge> {
    const token = randomToken();
    const expiresAt = this.clock.in(LIFE_MS);
    const values = [digest(token), agent.id, returnTo, expiresAt, agent.passwordVersion];
    await this.database.account(agent.accountId).rows(OPEN_CHALLENGE, values);
    return { token, expiresAt };
  }

  async isOpen(token: string): Promise<boolean> {
    return (await this.database.system().row(FIND_CHALLENGE, [digest(token), this.clock.now()])) !== undefined;
  }

  /** Only one of two simultaneous right answers passes. */
  async answer(token: string, answer: ChallengeAnswer): Promise<ChallengeResult> {
    const hash = digest(token);
    type Tried = AgentOfAccount & { left: number };
    const tried = await this.database.system().row<Tried>(TRY_CHALLENGE, [hash, this.clock.now()]);
    if (!tried) return { kind: 'over' };
    const { left, ...agent } = tried;
    const result = await this.compare(agent, answer);
    if (result.kind === 'throttled') return result;
    if (result.kind === 'refused') return left > 0 ? { kind: 'refused', triesLeft: left } : { kind: 'over' };
    const ended = await this.database.system().row<EndedChallenge>(END_CHALLENGE, [hash]);
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
