/** Who sends a request with a token. */
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

/** Who sits in front of a browser. */
export const BROWSERS = ['owner', 'admin', 'agent', 'stranger', 'nobody', 'nonsense', 'signed out'] as const;
export type Browser = (typeof BROWSERS)[number];

/** What the requests of a round can name, by what it is. The last few of each are of other accounts. */
export type Words = Readonly<Record<WordKind, readonly string[]>>;
export const WORD_KINDS = [
  'tickets',
  'messages',
  'customers',
  'agents',
  'groups',
  'mailboxes',
  'arrivals',
  'views',
  'tags',
  'webhooks',
  'deliveries',
  'replays',
  'events',
  'attachments',
  'downloads',
  'agents with a code',
  'applications',
  'tokens',
  'links',
  'assets',
  'cursors',
] as const;
export type WordKind = (typeof WORD_KINDS)[number];

export interface OAuthClient {
  readonly id: string;
  readonly clientId: string;
  readonly secret: string;
  readonly redirectUri: string;
}

/** What a browser holds in front of which nobody is signed in yet. */
export interface Visit {
  readonly cookie: string;
  /** The proof of the form on its page. */
  readonly csrf: string;
}

/** A browser of somebody who signs in with a code, and the key of their app. */
export interface CodeHolder {
  readonly session: string;
  readonly key: string;
}

/** A browser that has given the password and owes a code. */
export interface Challenged extends Visit {
  readonly key: string;
  readonly recoveryCode: string;
}

/** Accounts with everything that requests can be about. Each round has a new one, because requests use it up. */
export interface World {
  /** The account that the requests are about, one that would like to see into it, and one in which nobody acts. */
  readonly accounts: Readonly<Record<'ours' | 'theirs' | 'bystander', string>>;
  readonly tokens: Readonly<Record<Exclude<Bearer, 'nobody' | 'nonsense'>, string>>;
  readonly sessions: Readonly<Record<Exclude<Browser, 'nobody' | 'nonsense'>, string>>;
  /** Of agents who do nothing else, for requests that end a session or change a password. */
  readonly spareSessions: readonly string[];
  /** Of everybody who can sign in. */
  readonly staffEmails: readonly string[];
  /** A browser that is not signed in, and some whose password was right for two accounts. */
  readonly visit: Visit;
  readonly visitsToFinish: readonly Visit[];
  /** The agent of ours whom those browsers can choose. */
  readonly twin: string;
  /** Those whose app is not confirmed yet, those who have one, and those who are asked for a code of it. */
  readonly settingUpCodes: readonly CodeHolder[];
  readonly codeHolders: readonly CodeHolder[];
  readonly challenged: readonly Challenged[];
  readonly words: Words;
  readonly clients: Readonly<Record<'ours' | 'another' | 'disabled', OAuthClient>>;
  readonly codes: readonly string[];
  readonly refreshTokens: readonly string[];
  readonly accessTokens: readonly string[];
  /** Where webhooks of the requests go. */
  readonly receiverUrl: string;
  readonly metricsToken: string;
}

/** Of everybody who can sign in. */
export const PASSWORD = 'correct horse battery';

/** Stands in the text of every record of the account. Seen by another account, it has leaked. */
export const markOf = (accountId: string): string => `mark-${accountId}`;
export const MARK = /mark-([\da-f]{8}-[\da-f-]{27})/g;
