import { domainToASCII } from 'node:url';
import type { MailRecipients } from './mail-recipients.js';
import { isMailAddress } from './mail-sender.js';
import { withoutToken } from './reply-addresses.js';

/** Kept with a message, of To and of Cc. */
export const MAX_KEPT_RECIPIENTS = 50;
/** In Cc of a reply. Each is a mail of its own, and whoever wrote to many people did not mean to hear what we answer. */
export const MAX_CC = 20;

/** As they are shown, without tokens of ours: whoever has one can write to its ticket. */
export const shownAddresses = (addresses: readonly string[]): string[] =>
  distinctAddresses(addresses.filter(isMailAddress).map(withoutToken));

/** What the answer goes to, besides the customer and our own addresses: people who wrote or got the mail. */
export function othersIn(
  { from, to, cc, unanswered }: MailRecipients & { readonly from: { readonly address: string } },
  known: readonly string[],
): string[] {
  const left = new Set([...known, ...unanswered].map(addressKey));
  const people = distinctAddresses([from.address, ...to, ...cc]);
  return people.filter((address) => !left.has(addressKey(address)) && !isUnattended(address));
}

/** The first of those that are one address. */
export function distinctAddresses(addresses: readonly string[]): string[] {
  const byKey = new Map<string, string>();
  for (const address of addresses) if (!byKey.has(addressKey(address))) byKey.set(addressKey(address), address);
  return [...byKey.values()];
}

/** The same for one address in other letters, and for a domain in its other form (RFC 5891). */
export function addressKey(address: string): string {
  const at = address.lastIndexOf('@');
  const domain = address.slice(at + 1).toLowerCase();
  return `${address.slice(0, at).toLowerCase()}@${domainToASCII(domain) || domain}`;
}

/** What the server of a mailbox takes for it: `support+orders@desk.example` is `support@desk.example`. */
export function withoutTag(address: string): string {
  const at = address.lastIndexOf('@');
  const plus = address.indexOf('+');
  return plus > 0 && plus < at ? `${address.slice(0, plus)}${address.slice(at)}` : address;
}

const NO_REPLY = /(?:^|[-_.+])(?:no|do[-_.]?not|never)[-_.]?reply\d{0,9}(?:[-_.+]|$)/;
const PROGRAM =
  /^(?:mailer-daemon|postmaster|nobody)$|^bounces?(?:[-+=.]|$)|^owner-|[-+](?:bounces?|owner|request|subscribe|unsubscribe)(?:\+|$)/;

/** Nobody reads what comes there, or a program does: no-reply addresses, bounces, and the programs of mailing lists. */
export function isUnattended(address: string): boolean {
  const [name = '', domain = ''] = address.toLowerCase().split('@');
  return domain.endsWith('.invalid') || NO_REPLY.test(name) || PROGRAM.test(name);
}
