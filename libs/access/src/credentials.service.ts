import { Clock, Database, isUuid } from '#libs/database';
import type { Agent } from '#libs/entities';
import { Injectable } from '@nestjs/common';
import {
  networksOf,
  type SignInAttempt,
  type ThrottleLimit,
  ThrottlesService,
  knownBrowserLimits,
  strangerLimits,
} from './throttles.service.js';
import { verifyPassword } from './passwords.service.js';
import { digest } from './secrets.js';
import { CANDIDATES, END_VISIT, SAVE_VISIT } from './sign-in.statements.js';

/** Later steps fail if the password has changed. Without a version, no password was verified. */
export interface SigningIn extends Pick<Agent, 'id' | 'accountId' | 'email'> {
  readonly passwordVersion?: Buffer | null;
}

export interface SignInCandidate extends SigningIn {
  readonly account: string;
  readonly passwordVersion: Buffer;
}

type SignInResult =
  | { readonly kind: 'matched'; readonly agents: readonly SignInCandidate[] }
  | { readonly kind: 'refused' }
  | { readonly kind: 'throttled'; readonly retryAfterSeconds: number };

const CHOICE_LIFE_MS = 30 * 60_000;

@Injectable()
export class CredentialsService {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly throttles: ThrottlesService,
  ) {}

  /** Takes the same time for an unknown e-mail and for a wrong password. */
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

  /** Counts before the verification, so that parallel tries are counted too. */
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
    // A rented server has thousands of the smaller networks.
    const matches = await verifyPassword(hashes, password, networksOf(address).at(-1)!);
    return found.filter((_, index) => matches[index]).map(({ passwordHash: _passwordHash, ...agent }) => agent);
  }

  /** Keeps the choice of accounts where the browser cannot change it. The password of all `agents` was verified. */
  async offer(token: string, agents: readonly SigningIn[], returnTo: string): Promise<void> {
    const [ids, versions] = [agents.map(({ id }) => id), agents.map((agent) => agent.passwordVersion)];
    const values = [digest(token), returnTo, ids, this.clock.in(CHOICE_LIFE_MS), versions];
    await this.database.system().rows(SAVE_VISIT, values);
  }

  /** Returns undefined if the agent was not offered, or another request chose. */
  async choose(token: string, agentId: string): Promise<(SigningIn & { readonly returnTo: string }) | undefined> {
    if (!isUuid(agentId)) return undefined;
    return this.database.system().row(END_VISIT, [digest(token), this.clock.now(), agentId]);
  }
}
