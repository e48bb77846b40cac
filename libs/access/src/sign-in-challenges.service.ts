import { Clock, Database } from '#libs/database';
import { Injectable } from '@nestjs/common';
import type { SigningIn } from './credentials.service.js';
import { type CodeResult, SecondFactorsService } from './second-factors.service.js';
import { digest, randomToken } from './secrets.js';
import { END_CHALLENGE, FIND_CHALLENGE, OPEN_CHALLENGE, TRY_CHALLENGE } from './sign-in.statements.js';

const LIFE_MS = 10 * 60_000;

export interface ChallengeAnswer {
  readonly kind: 'code' | 'recovery_code';
  readonly typed: string;
  readonly from: (email: string) => string;
}

export type ChallengeResult =
  | { readonly kind: 'passed'; readonly agent: SigningIn; readonly returnTo: string }
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

  async openIfNeeded(agent: SigningIn, returnTo: string): Promise<{ token: string; expiresAt: Date } | undefined> {
    if (!(await this.secondFactors.isOn(agent.accountId, agent.id))) return undefined;
    const token = randomToken();
    const expiresAt = this.clock.in(LIFE_MS);
    const values = [digest(token), agent.id, returnTo, expiresAt, agent.passwordVersion ?? null];
    await this.database.account(agent.accountId).rows(OPEN_CHALLENGE, values);
    return { token, expiresAt };
  }

  async isOpen(token: string): Promise<boolean> {
    return (await this.database.system().row(FIND_CHALLENGE, [digest(token), this.clock.now()])) !== undefined;
  }

  /** Only one of two simultaneous right answers passes. */
  async answer(token: string, answer: ChallengeAnswer): Promise<ChallengeResult> {
    const hash = digest(token);
    const tried = await this.database
      .system()
      .row<SigningIn & { left: number }>(TRY_CHALLENGE, [hash, this.clock.now()]);
    if (!tried) return { kind: 'over' };
    const { left, ...agent } = tried;
    const result = await this.compare(agent, answer);
    if (result.kind === 'throttled') return result;
    if (result.kind === 'refused') return left > 0 ? { kind: 'refused', triesLeft: left } : { kind: 'over' };
    type Ended = { returnTo: string; passwordVersion: Buffer | null };
    const ended = await this.database.system().row<Ended>(END_CHALLENGE, [hash]);
    if (!ended) return { kind: 'over' };
    const { returnTo, passwordVersion } = ended;
    return { kind: 'passed', agent: { ...agent, passwordVersion }, returnTo };
  }

  private async compare({ accountId, id, email }: SigningIn, answer: ChallengeAnswer): Promise<CodeResult> {
    const { kind, typed, from } = answer;
    const holder = { accountId, agentId: id, from: from(email) };
    if (kind === 'code') return this.secondFactors.acceptCode(holder, typed);
    return { kind: (await this.secondFactors.acceptRecoveryCode(holder, typed)) ? 'accepted' : 'refused' };
  }
}
