import { Database, systemStatement } from '#libs/database';
import type { Agent } from '#libs/entities';
import { Injectable } from '@nestjs/common';
import { networksOf } from './client-network.js';
import { verifyPassword } from './password-hashes.js';
import { passwordVersion } from './password-version.js';
import { type SignInAttempt, knownBrowserLimits, strangerLimits } from './throttle-limits.js';
import { type ThrottleLimit, ThrottlesService } from './throttles.service.js';

/** An agent whose password was right, and the account it opens. */
export interface SignInCandidate extends Pick<Agent, 'id' | 'accountId' | 'email'> {
  readonly account: string;
  /** Of the password that was right. The sign-in ends when the agent has another one. */
  readonly passwordVersion: Buffer;
}

export type SignInResult =
  | { readonly kind: 'matched'; readonly agents: readonly SignInCandidate[] }
  | { readonly kind: 'refused' }
  | { readonly kind: 'throttled'; readonly retryAfterSeconds: number };

/** The same e-mail may stand for agents of several accounts, each with a password of its own. */
const CANDIDATES = systemStatement(
  'sign_in_candidates',
  'An e-mail and a password do not say which account is meant',
  `select a.id, a.account_id as "accountId", a.email, ac.name as account, a.password_hash as "passwordHash",
     ${passwordVersion('a')} as "passwordVersion"
   from agents a join accounts ac on ac.id = a.account_id
   where a.email = $1 and a.state = 'active' and a.password_hash is not null order by ac.name, a.id limit 20`,
);

const CHOSEN = systemStatement(
  'sign_in_chosen',
  'Runs for agents whose password was given a moment ago',
  `select a.id, a.account_id as "accountId", a.email, ac.name as account,
     ${passwordVersion('a')} as "passwordVersion"
   from agents a join accounts ac on ac.id = a.account_id
   where a.id = any ($1::uuid[]) and a.state = 'active' and a.password_hash is not null order by ac.name, a.id`,
);

@Injectable()
export class CredentialsService {
  constructor(
    private readonly database: Database,
    private readonly throttles: ThrottlesService,
  ) {}

  /** The same work and the same answer, whether the e-mail is unknown or the password wrong. */
  async authenticate(given: SignInAttempt): Promise<SignInResult> {
    const attempt = { ...given, email: given.email.trim().toLowerCase() };
    const { limits, retryAfterSeconds } = await this.admit(attempt);
    if (retryAfterSeconds > 0) return { kind: 'throttled', retryAfterSeconds };
    const agents = await this.matching(attempt).catch(async (error: unknown) => {
      await this.throttles.release(limits);
      throw error;
    });
    if (agents.length === 0) return { kind: 'refused' };
    await this.throttles.release(limits);
    return { kind: 'matched', agents };
  }

  /** The agents a person may still choose among. */
  findCandidates(agentIds: readonly string[]): Promise<SignInCandidate[]> {
    return this.database.system().rows<SignInCandidate>(CHOSEN, [agentIds]);
  }

  /** Counts the try before the password is verified, so that parallel tries are counted too. */
  private async admit(attempt: SignInAttempt): Promise<{ limits: ThrottleLimit[]; retryAfterSeconds: number }> {
    const known = knownBrowserLimits(attempt);
    if (known.length > 0 && (await this.throttles.consume(known)) === 0) return { limits: known, retryAfterSeconds: 0 };
    const limits = strangerLimits(attempt);
    return { limits, retryAfterSeconds: await this.throttles.consume(limits) };
  }

  private async matching({ email, password, address }: SignInAttempt): Promise<SignInCandidate[]> {
    type Row = SignInCandidate & { passwordHash: string };
    const found = await this.database.system().rows<Row>(CANDIDATES, [email]);
    const hashes = found.map(({ passwordHash }) => passwordHash);
    // The largest network: whoever rents a server has thousands of the smaller ones.
    const matches = await verifyPassword(hashes, password, networksOf(address).at(-1)!);
    return found
      .filter((_, index) => matches[index])
      .map((row) => ({
        id: row.id,
        accountId: row.accountId,
        email: row.email,
        account: row.account,
        passwordVersion: row.passwordVersion,
      }));
  }
}
