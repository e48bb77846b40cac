import { LARGER_NETWORK_FACTOR, networksOf } from './client-network.js';
import type { ThrottleLimit } from './throttles.service.js';

const QUARTER_HOUR = 15 * 60;
const HOUR = 3600;

/** Somebody who gives an e-mail and a password. */
export interface SignInAttempt {
  readonly email: string;
  readonly password: string;
  readonly address: string;
  /** Names a browser in which this e-mail has signed in before. Nobody else can name it. */
  readonly knownBrowser?: string | undefined;
}

/**
 * A browser in which this e-mail has signed in before has a count of its own, so nobody else can lock it out. All other
 * browsers share the last of the limits, so that guessing stays slow from any number of addresses.
 */
export const knownBrowserLimits = ({ email, knownBrowser }: SignInAttempt): ThrottleLimit[] =>
  knownBrowser === undefined
    ? []
    : [{ name: 'sign-in browser', key: `${email}\n${knownBrowser}`, max: 10, seconds: QUARTER_HOUR }];

export const strangerLimits = ({ email, address }: SignInAttempt): ThrottleLimit[] => [
  ...networkLimits(address, { name: 'sign-in address', max: 100, seconds: QUARTER_HOUR }),
  { name: 'sign-in pair', key: `${email}\n${networksOf(address)[0]}`, max: 10, seconds: QUARTER_HOUR },
  { name: 'sign-in e-mail', key: email, max: 100, seconds: HOUR },
];

/** Who gets several mails has the links in them, so nobody can be kept from a new password by using up this limit. */
export const linkLimits = (email: string, address: string): ThrottleLimit[] => [
  ...networkLimits(address, { name: 'link address', max: 30, seconds: HOUR }),
  { name: 'link e-mail', key: email, max: 5, seconds: HOUR },
];

/** Whoever signs in without cookies all day long, a script perhaps, does not fill the mailbox. */
export const newBrowserMailLimit = (agentId: string): ThrottleLimit => ({
  name: 'new browser mail',
  key: agentId,
  max: 20,
  seconds: 24 * HOUR,
});

export const personalTokenLimits = (agentId: string): ThrottleLimit[] => [
  { name: 'personal token', key: agentId, max: 10, seconds: HOUR },
];

/** Only failures count. A secret has 256 random bits, so this is not against guessing but against load. */
export const clientSecretLimits = (address: string): ThrottleLimit[] =>
  networkLimits(address, { name: 'client secret', max: 60, seconds: 300 });

/** The smaller network is counted first: a try that it refuses does not count for the larger one. */
const networkLimits = (address: string, { name, max, seconds }: Omit<ThrottleLimit, 'key'>): ThrottleLimit[] =>
  networksOf(address).map((key, size) => ({ name, key, max: max * LARGER_NETWORK_FACTOR ** size, seconds }));
