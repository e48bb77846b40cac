import type { CustomerFields } from '../customers/customer.statements.js';
import { beginningOf } from './beginning-of.js';

const MAX_ADDRESS = 254;
const MAX_NAME = 200;

export interface MailSender {
  readonly address: string;
  readonly name: string;
}

/** One address, as the API takes them or plainer: enough to be answered and to be linked to. */
export function isMailAddress(address: string): boolean {
  const [local = '', domain = '', ...more] = address.split('@');
  // oxlint-disable-next-line no-control-regex
  const isUsable = !/[\s\u0000-\u001f\u007f<>()[\]\\,;:"]/.test(address);
  return isUsable && local !== '' && domain !== '' && more.length === 0 && address.length <= MAX_ADDRESS;
}

/** Where nobody can be told: addresses below `.invalid` never exist. */
export const NOBODY = 'unknown-sender@mail.invalid';

/** A customer who is known keeps the name that the desk has, whatever a mail says. */
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
