import type { TestApplication } from '../oauth/support/oauth-desk.js';
import type { ReadWords } from './world-records.js';

export const BEARERS = [
  'owner',
  'admin',
  'agent',
  'application',
  'stranger',
  'only read',
  'only write',
  'only webhooks',
  'only admin',
  'nobody',
  'nonsense',
  'revoked token',
  'expired token',
  'archived agent',
  'refresh token',
] as const;
export type Bearer = (typeof BEARERS)[number];

export const BROWSERS = ['owner', 'admin', 'agent', 'stranger', 'nobody', 'nonsense', 'signed out'] as const;
export type Browser = (typeof BROWSERS)[number];

/** Words that the requests of a round can use, by kind. The last few of each belong to other accounts. */
export type Words = ReadWords &
  Readonly<
    Record<'links' | 'tokens' | 'applications' | 'own applications' | 'agents with a code' | 'views', readonly string[]>
  >;
export type WordKind = keyof Words;

/** State of a signed-out browser. */
export interface Visit {
  readonly cookie: string;
  /** The proof of the form on its page. */
  readonly csrf: string;
}

/** A browser of an agent who signs in with a code, and the key of the agent's app. */
export interface CodeHolder {
  readonly session: string;
  readonly key: string;
}

/** A browser that has given the password but not the code. */
export interface Challenged extends Visit {
  readonly key: string;
  readonly recoveryCode: string;
}

/** Accounts with every kind of record. Each round gets new ones, because requests use them up. */
export interface World {
  /** The account that the requests use, one that tries to read it, and one without callers. */
  readonly accounts: Readonly<Record<'ours' | 'theirs' | 'bystander', string>>;
  readonly tokens: Readonly<Record<Exclude<Bearer, 'nobody' | 'nonsense'>, string>>;
  readonly sessions: Readonly<Record<Exclude<Browser, 'nobody' | 'nonsense'>, string>>;
  /** Sessions for requests that end a session or change a password; nothing else uses their agents. */
  readonly spareSessions: readonly string[];
  /** Everyone who can sign in. */
  readonly staffEmails: readonly string[];
  /** A signed-out browser, and some whose password was right for two accounts. */
  readonly visit: Visit;
  readonly visitsToFinish: readonly Visit[];
  /** Our agent whom those browsers can choose. */
  readonly twin: string;
  /** Agents with an unconfirmed app, with an app, and waiting to enter its code. */
  readonly settingUpCodes: readonly CodeHolder[];
  readonly codeHolders: readonly CodeHolder[];
  readonly challenged: readonly Challenged[];
  readonly words: Words;
  readonly clients: Readonly<Record<'ours' | 'another' | 'disabled', TestApplication>>;
  readonly codes: readonly string[];
  readonly refreshTokens: readonly string[];
  readonly accessTokens: readonly string[];
  /** The target of webhooks in requests. */
  readonly receiverUrl: string;
  readonly metricsToken: string;
}
