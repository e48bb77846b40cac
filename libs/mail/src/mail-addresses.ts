import { domainToASCII } from 'node:url';
import { withoutTokens } from '#libs/entities';
import { addressesIn } from './mime/addresses.js';
import type { Header } from './mime/header.js';

export const shownAddresses = (addresses: readonly string[]): string[] =>
  distinctAddresses(addresses.map(withoutTokens).filter(isMailAddress));

/** Leaves out `known`: the customer and our own addresses. */
export function othersIn(
  { from, to, cc, unanswered }: MailRecipients & { readonly from: { readonly address: string } },
  known: readonly string[],
): string[] {
  const left = new Set([...known, ...unanswered].map(addressKey));
  const people = distinctAddresses([from.address, ...to, ...cc]);
  return people.filter((address) => !left.has(addressKey(address)) && !isUnattended(address));
}

export function distinctAddresses(addresses: readonly string[]): string[] {
  const byKey = new Map<string, string>();
  for (const address of addresses) if (!byKey.has(addressKey(address))) byKey.set(addressKey(address), address);
  return [...byKey.values()];
}

export function addressKey(address: string): string {
  const at = address.lastIndexOf('@');
  const domain = address.slice(at + 1).toLowerCase();
  return `${address.slice(0, at).toLowerCase()}@${domainToASCII(domain) || domain}`;
}

/** `support+orders@desk.example` is `support@desk.example`. */
export function withoutTag(address: string): string {
  const at = address.lastIndexOf('@');
  const plus = address.indexOf('+');
  return plus > 0 && plus < at ? `${address.slice(0, plus)}${address.slice(at)}` : address;
}

const NO_REPLY = /(?:^|[-_.+])(?:no|do[-_.]?not|never)[-_.]?reply\d{0,9}(?:[-_.+]|$)/;
const PROGRAM =
  /^(?:mailer-daemon|postmaster|nobody)$|^bounces?(?:[-+=.]|$)|^owner-|[-+](?:bounces?|owner|request|subscribe|unsubscribe)(?:\+|$)/;

function isUnattended(address: string): boolean {
  const [name = '', domain = ''] = address.toLowerCase().split('@');
  return domain.endsWith('.invalid') || NO_REPLY.test(name) || PROGRAM.test(name);
}

const MAX_ADDRESSES_PER_FIELD = 200;

export interface MailRecipients {
  readonly to: readonly string[];
  readonly cc: readonly string[];
  /** Addresses that get no reply: those to which servers delivered the mail, and mailing lists. */
  readonly unanswered: readonly string[];
}

export const recipientsIn = (header: Header): MailRecipients => ({
  to: addressesOf(header.all('to')),
  cc: addressesOf(header.all('cc')),
  unanswered: addressesOf(UNANSWERED.flatMap((name) => header.all(name)).map(withoutScheme)),
});

const UNANSWERED = ['delivered-to', 'x-original-to', 'x-envelope-to', 'x-forwarded-to', 'list-post'];

const withoutScheme = (value: string): string => value.replaceAll(/mailto:/gi, '');

const addressesOf = (values: readonly string[]): string[] =>
  values
    .flatMap((value) => addressesIn(value))
    .slice(0, MAX_ADDRESSES_PER_FIELD)
    .map(({ address }) => address.toLowerCase());

const MAX_ADDRESS_CHARACTERS = 254;

/** An email without a sender has a customer without a real address. */
export const canReceive = (address: string): boolean => isMailAddress(address) && !address.endsWith('.invalid');

/** At least as strict as the API, so that the address can be linked to. */
export function isMailAddress(address: string): boolean {
  const [local = '', domain = '', ...more] = address.split('@');
  // oxlint-disable-next-line no-control-regex
  const isUsable = !/[\s\u0000-\u001f\u007f<>()[\]\\,;:"]/.test(address);
  return isUsable && local !== '' && domain !== '' && more.length === 0 && address.length <= MAX_ADDRESS_CHARACTERS;
}

/** Stands for a sender without a usable address. Addresses below `.invalid` never exist. */
export const NOBODY = 'unknown-sender@mail.invalid';

/** Never splits a surrogate pair. */
export const beginningOf = (text: string, length: number): string =>
  text.slice(0, /[\ud800-\udbff]/.test(text.charAt(length - 1)) ? length - 1 : length);
