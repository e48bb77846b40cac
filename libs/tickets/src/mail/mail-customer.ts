import { type MailAddress, beginningOf } from '#libs/mail';
import type { CustomerFields } from '../customers/customer.statements.js';

export const MAX_KEPT_RECIPIENTS = 50;
const MAX_NAME_CHARACTERS = 200;

/** A known customer keeps their name, because a mail can claim any. */
export function customerOf({ address, name }: MailAddress, isKnown: boolean): CustomerFields {
  const words = isKnown ? [] : name.trim().split(/\s+/).filter(Boolean);
  if (words.length === 0) return { email: address };
  const last = words.length > 1 ? words.pop()! : '';
  return {
    email: address,
    firstName: beginningOf(words.join(' '), MAX_NAME_CHARACTERS),
    lastName: beginningOf(last, MAX_NAME_CHARACTERS),
  };
}
