import type { CustomerFields } from '../customers/customer.statements.js';
import { beginningOf } from './beginning-of.js';

const MAX_ADDRESS = 254;
const MAX_NAME = 200;

export interface MailSender {
  readonly address: string;
  readonly name: string;
}

/** At least as strict as the API, so that the address can be linked to. */
export function isMailAddress(address: string): boolean {
  const [local = '', domain = '', ...more] = address.split('@');
  // oxlint-disable-next-line no-control-regex
  const isUsable = !/[\s\u0000-\u001f\u007f<>()[\]\\,;:"]/.test(address);
  return isUsable && local !== '' && domain !== '' && more.length === 0 && address.length <= MAX_ADDRESS;
}

/** Stands for a sender without a usable address. Addresses below `.invalid` never exist. */
export const NOBODY = 'unknown-sender@mail.invalid';

/** A known customer keeps their name, because a mail can claim any. */
export function customerOf({ address, name }: MailSender, isKnown: boolean): CustomerFields {
  const words = isKnown ? [] : name.trim().split(/\s+/).filter(Boolean);
  if (words.length === 0) return { email: address };
  const last = words.length > 1 ? words.pop()! : '';
  return {
    email: address,
    firstName: beginningOf(words.join(' '), MAX_NAME),
    lastName: beginningOf(last, MAX_NAME),
  };
}
