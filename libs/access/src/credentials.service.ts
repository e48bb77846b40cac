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
  /** Only the password of this agent is compared. Default: those of all agents with the e-mail. */
  readonly agentId?: string;
  /** Returns an id of the browser if the agent has signed in with it before. */
  readonly knownBrowser?: (agentId: string) => string | undefined;
}

/** Others cannot lock out a known browser. The second limit bounds the guesses of a thief who has many of them. */
const knownBrowserLimits = (agentId: string, browser: string | undefined): ThrottleLimit[] =>
  browser === undefined
    ? []
    : [
        { name: 'sign-in browser', key: `${agentId}\n${browser}`, max: 10, seconds: QUARTER_HOUR },
        { name: 'sign-in browsers', key: agentId, max: 200, seconds: HOUR },
      ];

const strangerLimits = ({ email, address }: SignInAttempt): ThrottleLimit[] => [
  ...networkLimits(address, { name: 'sign-in address', max: 100, seconds: QUARTER_HOUR }),
  ...guessLimits(email, address),
];

/** `target` is an e-mail or an agent. The last limit slows guessing from many addresses. */
const guessLimits = (target: string, address: string): ThrottleLimit[] => [
  { name: 'sign-in pair', key: `${target}\n${networksOf(address)[0]}`, max: 10, seconds: QUARTER_HOUR },
  { name: 'sign-in target', key: target, max: 100, seconds: HOUR },
];

/** Using up this limit locks no one out, because the mails that were sent contain working links. */
export const linkLimits = (email: string, address: string): ThrottleLimit[] => [
  ...networkLimits(address, { name: 'link address', max: 30, seconds: HOUR }),
  { name: 'link e-mail', key: email, max: 5, seconds: HOUR },
];

/** Each mails an address that its owner did not give us. Those sent before still work. */
export const invitationLimits = (accountId: string, email: string): ThrottleLimit[] => [
  { name: 'invitation e-mail', key: email, max: 5, seconds: HOUR },
  { name: 'invitation account', key: accountId, max: 100, seconds: 24 * HOUR },
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

/** Some proxies add the port. A client has thousands. */
const WITH_PORT = /^(?:([\d.]+):\d+|\[([\da-f:.]+)\](?::\d+)?)$/i;

/** Smallest network first. A client has a whole /64 of IPv6. */
export function networksOf(reported: string): readonly [string, ...string[]] {
  const address = reported.replace(WITH_PORT, '$1$2');
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

type Candidate = SignInCandidate & { readonly passwordHash: string };

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

  /** Counts before the comparison, so that parallel tries are counted too. Takes the same time for an unknown e-mail. */
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

  private async candidates({ email, agentId }: SignInAttempt): Promise<Candidate[]> {
    const found = await this.database.system().rows<Candidate>(CANDIDATES, [email]);
    return found.filter(({ id }) => agentId === undefined || id === agentId);
  }

  /**
   * Skips agents over their limit silently. Otherwise the answer would show an agent of one account that another account
   * has the same e-mail.
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

  private async matching(compared: readonly Candidate[], { password, address }: SignInAttempt) {
    const hashes = compared.map(({ passwordHash }) => passwordHash);
    // A rented server has thousands of the smaller networks.
    const matches = await verifyPassword(hashes, password, networksOf(address).at(-1)!);
    const matching = compared.filter((_, index) => matches[index]);
    return matching.map(({ passwordHash: _passwordHash, ...agent }): SignInCandidate => agent);
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
