import { domainToASCII } from 'node:url';
import { type MailRecipients, isMailAddress } from './mail-header.js';
import { withoutToken } from './reply-addresses.service.js';

export const MAX_KEPT_RECIPIENTS = 50;
/** Each copy is a mail of its own, and a mail to more people is rather an announcement. */
export const MAX_CC = 20;

/** Removes our tokens, because a token allows writing to its ticket. */
export const shownAddresses = (addresses: readonly string[]): string[] =>
  distinctAddresses(addresses.filter(isMailAddress).map(withoutToken));

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
