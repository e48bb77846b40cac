import ipaddr from 'ipaddr.js';
import { Clock, Database, isUuid } from '#libs/database';
import { Injectable } from '@nestjs/common';
import { digest } from './secrets.js';
import { COUNT_TRY, RELEASE_TRIES, CANDIDATES, END_VISIT, SAVE_VISIT } from './sign-in.statements.js';
import { type SigningIn, verifyPassword } from './passwords.service.js';

interface ThrottleLimit {
  readonly name: string;
  readonly key: string;
  readonly max: number;
  readonly seconds: number;
}

/** In PostgreSQL, because the limits must also hold without Redis. */
@Injectable()
export class ThrottlesService {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  /** Returns the seconds to wait. Stops at the first exceeded limit, so the client’s own should come first. */
  async consume(limits: readonly ThrottleLimit[]): Promise<number> {
    for (const limit of limits) {
      const { max, seconds } = limit;
      const now = this.clock.now();
      type Row = { counted: boolean; endsAt: Date | null };
      const row = await this.database.system().row<Row>(COUNT_TRY, [keyOf(limit), now, seconds, max]);
      if (!row || row.counted) continue;
      const endsAt = row.endsAt?.getTime() ?? now.getTime() + seconds * 1000;
      return Math.max(1, Math.ceil((endsAt - now.getTime()) / 1000));
    }
    return 0;
  }

  async release(limits: readonly ThrottleLimit[]): Promise<void> {
    await this.database.system().rows(RELEASE_TRIES, [limits.map((limit) => keyOf(limit))]);
  }
}

const keyOf = ({ name, key }: ThrottleLimit): Buffer => digest(`${name}\n${key}`);

const QUARTER_HOUR = 15 * 60;
const HOUR = 3600;

interface SignInAttempt {
  readonly email: string;
  readonly password: string;
  readonly address: string;
  readonly knownBrowser?: string | undefined;
}

/** Others cannot lock out a known browser. */
const knownBrowserLimits = ({ email, knownBrowser }: SignInAttempt): ThrottleLimit[] =>
  knownBrowser === undefined
    ? []
    : [{ name: 'sign-in browser', key: `${email}\n${knownBrowser}`, max: 10, seconds: QUARTER_HOUR }];

/** The last limit slows guessing from many addresses. */
const strangerLimits = ({ email, address }: SignInAttempt): ThrottleLimit[] => [
  ...networkLimits(address, { name: 'sign-in address', max: 100, seconds: QUARTER_HOUR }),
  { name: 'sign-in pair', key: `${email}\n${networksOf(address)[0]}`, max: 10, seconds: QUARTER_HOUR },
  { name: 'sign-in e-mail', key: email, max: 100, seconds: HOUR },
];

/** Using up this limit locks no one out, because the mails that were sent contain working links. */
export const linkLimits = (email: string, address: string): ThrottleLimit[] => [
  ...networkLimits(address, { name: 'link address', max: 30, seconds: HOUR }),
  { name: 'link e-mail', key: email, max: 5, seconds: HOUR },
];

/** A script may sign in without cookies all day, which would fill the mailbox. */
export const newBrowserMailLimit = (agentId: string): ThrottleLimit => ({
  name: 'new browser mail',
  key: agentId,
  max: 20,
  seconds: 24 * HOUR,
});

export const personalTokenLimits = (agentId: string): ThrottleLimit[] => [
  { name: 'personal token', key: agentId, max: 10, seconds: HOUR },
];

/** A secret cannot be guessed; this limits the load. */
export const clientSecretLimits = (address: string): ThrottleLimit[] =>
  networkLimits(address, { name: 'client secret', max: 60, seconds: 300 });

/** A try refused for the smaller network does not count for the larger one. */
const networkLimits = (address: string, { name, max, seconds }: Omit<ThrottleLimit, 'key'>): ThrottleLimit[] =>
  networksOf(address).map((key, size) => ({ name, key, max: max * LARGER_NETWORK_FACTOR ** size, seconds }));

const IPV6_BITS = [64, 48] as const;

/** A /48 may have this many times the limit of a /64. */
export const LARGER_NETWORK_FACTOR = 10;

/** Smallest network first. A client has a whole /64 of IPv6. */
export function networksOf(address: string): readonly [string, ...string[]] {
  if (!ipaddr.isValid(address)) return [address.slice(0, 64)];
  // `process` unwraps `::ffff:192.0.2.1`.
  const parsed = ipaddr.process(address);
  if (parsed.kind() === 'ipv4') return [parsed.toString()];
  const [one, ...others] = IPV6_BITS.map((bits) => networkOf(parsed as ipaddr.IPv6, bits));
  return [one!, ...others];
}

function networkOf(address: ipaddr.IPv6, bits: number): string {
  const parts = address.parts.map((part, index) => (index < bits / 16 ? part : 0));
  return `${new ipaddr.IPv6(parts).toString()}/${bits}`;
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
