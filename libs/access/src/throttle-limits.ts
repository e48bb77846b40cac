import { LARGER_NETWORK_FACTOR, networksOf } from './networks.js';
import type { ThrottleLimit } from './throttles.service.js';

const QUARTER_HOUR = 15 * 60;
const HOUR = 3600;

/** Others cannot lock out a known browser. The second limit bounds the guesses of a thief who has many of them. */
export const knownBrowserLimits = (agentId: string, browser: string | undefined): ThrottleLimit[] =>
  browser === undefined
    ? []
    : [
        { name: 'sign-in browser', key: `${agentId}\n${browser}`, max: 10, seconds: QUARTER_HOUR },
        { name: 'sign-in browsers', key: agentId, max: 200, seconds: HOUR },
      ];

export const strangerLimits = ({
  email,
  address,
}: {
  readonly email: string;
  readonly address: string;
}): ThrottleLimit[] => [
  ...networkLimits(address, { name: 'sign-in address', max: 100, seconds: QUARTER_HOUR }),
  ...guessLimits(email, address),
];

/** `target` is an email or an agent. The last limit slows guessing from many addresses. */
export const guessLimits = (target: string, address: string): ThrottleLimit[] => [
  { name: 'sign-in pair', key: `${target}\n${networksOf(address)[0]}`, max: 10, seconds: QUARTER_HOUR },
  { name: 'sign-in target', key: target, max: 100, seconds: HOUR },
];

/** Using up this limit locks no one out, because the emails that were sent contain working links. */
export const linkLimits = (email: string, address: string): ThrottleLimit[] => [
  ...networkLimits(address, { name: 'link address', max: 30, seconds: HOUR }),
  { name: 'link email', key: email, max: 5, seconds: HOUR },
];

/** Each emails an address that its owner did not give us. Those sent before still work. */
export const invitationLimits = (accountId: string, email: string): ThrottleLimit[] => [
  { name: 'invitation email', key: email, max: 5, seconds: HOUR },
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

/** The row of a deleted application stays. */
export const newApplicationLimits = (accountId: string): ThrottleLimit[] => [
  { name: 'new application', key: accountId, max: 50, seconds: HOUR },
];

/** A secret cannot be guessed; this limits the load. */
export const clientSecretLimits = (address: string): ThrottleLimit[] =>
  networkLimits(address, { name: 'client secret', max: 60, seconds: 300 });

/** Anyone can make this server send a request to any host. */
export const clientMetadataLimits = (address: string): ThrottleLimit[] =>
  networkLimits(address, { name: 'client metadata', max: 30, seconds: 300 });

/** A try refused for the smaller network does not count for the larger one. */
const networkLimits = (address: string, { name, max, seconds }: Omit<ThrottleLimit, 'key'>): ThrottleLimit[] =>
  networksOf(address).map((key, size) => ({ name, key, max: max * LARGER_NETWORK_FACTOR ** size, seconds }));
