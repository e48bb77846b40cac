import { Clock, Database } from '#libs/database';
import { Injectable } from '@nestjs/common';
import { LARGER_NETWORK_FACTOR, networksOf } from './client-network.js';
import { digest } from './secrets.js';
import { COUNT_TRY, RELEASE_TRIES } from './sign-in.statements.js';

/** At most `max` tries for a key within `seconds`. */
export interface ThrottleLimit {
  readonly name: string;
  readonly key: string;
  readonly max: number;
  readonly seconds: number;
}

/** Limits tries of unauthenticated clients, in PostgreSQL, because they must also work without Redis. */
@Injectable()
export class ThrottlesService {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  /**
   * Counts one try against each limit. Returns the seconds to wait if one is exceeded, otherwise zero. Later limits are not
   * counted then, so the client's own limit should come first. One round trip for each limit.
   */
  async consume(limits: readonly ThrottleLimit[]): Promise<number> {
    for (const limit of limits) {
      const wait = await this.count(limit);
      if (wait > 0) return wait;
    }
    return 0;
  }

  /** Uncounts one try. */
  async release(limits: readonly ThrottleLimit[]): Promise<void> {
    await this.database.system().rows(RELEASE_TRIES, [limits.map((limit) => keyOf(limit))]);
  }

  private async count(limit: ThrottleLimit): Promise<number> {
    const { max, seconds } = limit;
    const now = this.clock.now();
    const row = await this.database
      .system()
      .row<{ counted: boolean; endsAt: Date | null }>(COUNT_TRY, [keyOf(limit), now, seconds, max]);
    if (!row || row.counted) return 0;
    const endsAt = row.endsAt?.getTime() ?? now.getTime() + seconds * 1000;
    return Math.max(1, Math.ceil((endsAt - now.getTime()) / 1000));
  }
}

const keyOf = ({ name, key }: ThrottleLimit): Buffer => digest(`${name}\n${key}`);

const QUARTER_HOUR = 15 * 60;
const HOUR = 3600;

export interface SignInAttempt {
  readonly email: string;
  readonly password: string;
  readonly address: string;
  /** The secret id of a browser in which this e-mail has signed in before. */
  readonly knownBrowser?: string | undefined;
}

/** A known browser has its own count, so that no one else can lock it out. */
export const knownBrowserLimits = ({ email, knownBrowser }: SignInAttempt): ThrottleLimit[] =>
  knownBrowser === undefined
    ? []
    : [{ name: 'sign-in browser', key: `${email}\n${knownBrowser}`, max: 10, seconds: QUARTER_HOUR }];

/** The last limit keeps guessing slow from any number of addresses. */
export const strangerLimits = ({ email, address }: SignInAttempt): ThrottleLimit[] => [
  ...networkLimits(address, { name: 'sign-in address', max: 100, seconds: QUARTER_HOUR }),
  { name: 'sign-in pair', key: `${email}\n${networksOf(address)[0]}`, max: 10, seconds: QUARTER_HOUR },
  { name: 'sign-in e-mail', key: email, max: 100, seconds: HOUR },
];

/** Using up the limit locks no one out, because the mails that were sent contain working links. */
export const linkLimits = (email: string, address: string): ThrottleLimit[] => [
  ...networkLimits(address, { name: 'link address', max: 30, seconds: HOUR }),
  { name: 'link e-mail', key: email, max: 5, seconds: HOUR },
];

/** Keeps a client that signs in without cookies, such as a script, from filling the mailbox. */
export const newBrowserMailLimit = (agentId: string): ThrottleLimit => ({
  name: 'new browser mail',
  key: agentId,
  max: 20,
  seconds: 24 * HOUR,
});

export const personalTokenLimits = (agentId: string): ThrottleLimit[] => [
  { name: 'personal token', key: agentId, max: 10, seconds: HOUR },
];

/** Counts failures only. A secret of 256 random bits cannot be guessed; this limits the load. */
export const clientSecretLimits = (address: string): ThrottleLimit[] =>
  networkLimits(address, { name: 'client secret', max: 60, seconds: 300 });

/** The smaller network comes first, because a try that it refuses does not count for the larger one. */
const networkLimits = (address: string, { name, max, seconds }: Omit<ThrottleLimit, 'key'>): ThrottleLimit[] =>
  networksOf(address).map((key, size) => ({ name, key, max: max * LARGER_NETWORK_FACTOR ** size, seconds }));
