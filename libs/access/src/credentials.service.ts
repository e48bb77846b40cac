import { Clock, Database, isUuid } from '#libs/database';
import { Injectable } from '@nestjs/common';
import { digest } from './secrets.js';
import {
  type CandidateWithHash,
  type SignInCandidate,
  endVisit,
  findCandidates,
  saveVisit,
} from './sign-in.statements.js';
import type { SigningIn } from './session.statements.js';
import { verifyPassword } from './password-hashes.js';
import { networksOf } from './networks.js';
import { type ThrottleLimit, ThrottlesService } from './throttles.service.js';
import { knownBrowserLimits, strangerLimits, guessLimits } from './throttle-limits.js';

interface SignInAttempt {
  readonly email: string;
  readonly password: string;
  readonly address: string;
  /** Only the password of this agent is compared. Default: those of all agents with the email. */
  readonly agentId?: string;
  /** Returns an id of the browser if the agent has signed in with it before. */
  readonly knownBrowser?: (agentId: string) => string | undefined;
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

  /** Counts before the comparison, so that parallel tries are counted too. Takes the same time for an unknown email. */
  async authenticate(given: SignInAttempt): Promise<SignInResult> {
    const attempt = { ...given, email: given.email.trim().toLowerCase() };
    const candidates = await this.candidates(attempt);
    const ids = candidates.map(({ id }) => id);
    const known = await this.admit(ids, (id) => knownBrowserLimits(id, attempt.knownBrowser?.(id)));
    const limits = known.size > 0 ? [] : strangerLimits(attempt);
    const retryAfterSeconds = await this.throttles.consume(limits);
    if (retryAfterSeconds > 0) return { kind: 'throttled', retryAfterSeconds };
    const others = ids.length > 0 ? ids.filter((id) => !known.has(id)) : [`no agent\n${attempt.email}`];
    const guessed = await this.admit(others, (id) => guessLimits(id, attempt.address));
    const admitted = new Map([...known, ...guessed]);
    const compared = candidates.filter(({ id }) => admitted.has(id));
    const agents = await this.matching(compared, attempt).catch(async (error: unknown) => {
      await this.throttles.release([...limits, ...[...admitted.values()].flat()]);
      throw error;
    });
    if (agents.length === 0) return { kind: 'refused' };
    // The other agents were guessed at.
    await this.throttles.release([...limits, ...agents.flatMap(({ id }) => admitted.get(id)!)]);
    return { kind: 'matched', agents };
  }

  private async candidates({ email, agentId }: SignInAttempt): Promise<CandidateWithHash[]> {
    const found = await findCandidates(this.database.system(), email);
    return found.filter(({ id }) => agentId === undefined || id === agentId);
  }

  /**
   * Skips agents over their limit silently. Otherwise the response would show an agent of one account that another account
   * has the same email.
   */
  private async admit(ids: readonly string[], limitsOf: (id: string) => ThrottleLimit[]) {
    const admitted = new Map<string, ThrottleLimit[]>();
    const tryOne = async (id: string): Promise<void> => {
      const limits = limitsOf(id);
      if (limits.length > 0 && (await this.throttles.consume(limits)) === 0) admitted.set(id, limits);
    };
    await Promise.all(ids.map(tryOne));
    return admitted;
  }

  private async matching(compared: readonly CandidateWithHash[], { password, address }: SignInAttempt) {
    const hashes = compared.map(({ passwordHash }) => passwordHash);
    // A rented server has thousands of the smaller networks.
    const matches = await verifyPassword(hashes, password, networksOf(address).at(-1)!);
    const matching = compared.filter((_, index) => matches[index]);
    return matching.map(({ passwordHash: _passwordHash, ...agent }): SignInCandidate => agent);
  }

  /** Keeps the choice of accounts where the browser cannot change it. The password of all `agents` was verified. */
  async offer(token: string, agents: readonly SigningIn[], returnTo: string): Promise<void> {
    const expiresAt = this.clock.in(CHOICE_LIFE_MS);
    await saveVisit(this.database.system(), { hash: digest(token), agents, returnTo, expiresAt });
  }

  /** Returns undefined if the agent was not offered, or another request chose. */
  async choose(token: string, agentId: string): Promise<(SigningIn & { readonly returnTo: string }) | undefined> {
    if (!isUuid(agentId)) return undefined;
    return endVisit(this.database.system(), { hash: digest(token), agentId }, this.clock.now());
  }
}
