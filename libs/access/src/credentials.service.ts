import { Database, systemStatement } from '#libs/database';
import type { Agent } from '#libs/entities';
import { Injectable } from '@nestjs/common';
import { verifyPassword } from './passwords.service.js';
import { type ThrottleLimit, ThrottlesService } from './throttles.service.js';

/** An agent whose password was right, and the account it opens. */
export interface SignInCandidate extends Pick<Agent, 'id' | 'accountId'> {
  readonly account: string;
}

export type SignInResult =
  | { readonly kind: 'matched'; readonly agents: readonly SignInCandidate[] }
  | { readonly kind: 'refused' }
  | { readonly kind: 'throttled'; readonly retryAfterSeconds: number };

const QUARTER_HOUR = 15 * 60;

/** The same e-mail may stand for agents of several accounts, each with a password of its own. */
const CANDIDATES = systemStatement(
  'sign_in_candidates',
  'An e-mail and a password do not say which account is meant',
  `select a.id, a.account_id as "accountId", ac.name as account, a.password_hash as "passwordHash"
   from agents a join accounts ac on ac.id = a.account_id
   where a.email = $1 and a.state = 'active' and a.password_hash is not null order by ac.name, a.id limit 20`,
);

const CHOSEN = systemStatement(
  'sign_in_chosen',
  'Runs for agents whose password was given a moment ago',
  `select a.id, a.account_id as "accountId", ac.name as account from agents a join accounts ac on ac.id = a.account_id
   where a.id = any ($1::uuid[]) and a.state = 'active' order by ac.name, a.id`,
);

/** So many passwords are verified at least, so that the time does not tell 0 or 1 account from 2. */
const LEAST_VERIFIED = 2;

@Injectable()
export class CredentialsService {
  constructor(
    private readonly database: Database,
    private readonly throttles: ThrottlesService,
  ) {}

  /** The same work and the same answer, whether the e-mail is unknown or the password wrong. */
  async authenticate(email: string, password: string, address: string): Promise<SignInResult> {
    const wanted = email.trim().toLowerCase();
    const perEmail: ThrottleLimit = { name: 'sign-in e-mail', key: wanted, max: 10, seconds: QUARTER_HOUR };
    const perAddress: ThrottleLimit = { name: 'sign-in address', key: address, max: 100, seconds: QUARTER_HOUR };
    const retryAfterSeconds = await this.throttles.consume([perEmail, perAddress]);
    if (retryAfterSeconds > 0) return { kind: 'throttled', retryAfterSeconds };
    const agents = await this.matching(wanted, password);
    if (agents.length === 0) return { kind: 'refused' };
    await this.throttles.reset(perEmail);
    return { kind: 'matched', agents };
  }

  /** The agents a person may still choose among. */
  findCandidates(agentIds: readonly string[]): Promise<SignInCandidate[]> {
    return this.database.system().rows<SignInCandidate>(CHOSEN, [agentIds]);
  }

  private async matching(email: string, password: string): Promise<SignInCandidate[]> {
    type Row = SignInCandidate & { passwordHash: string };
    const found = await this.database.system().rows<Row>(CANDIDATES, [email]);
    const decoys = Array.from({ length: Math.max(0, LEAST_VERIFIED - found.length) }, () => null);
    const hashes = [...found.map(({ passwordHash }) => passwordHash), ...decoys];
    const matches = await Promise.all(hashes.map((hash) => verifyPassword(hash, password)));
    return found.filter((_, index) => matches[index]).map(({ id, accountId, account }) => ({ id, accountId, account }));
  }
}
