import type { AccountConnection } from '#libs/database';
import { InvalidField } from '#libs/entities';
import { MAX_CC, addressKey, distinctAddresses, othersIn } from './mail-people.js';
import type { MailRecipients } from './mail-recipients.js';
import { findOwnAddresses } from './own-addresses.js';

export type AddressedMail = MailRecipients & { readonly from: { readonly address: string } };

/**
 * Returns the people who get a copy when a reply answers all, without the customer and our own addresses. Empty if
 * there are more than a reply may have: choosing some would be a guess.
 */
export async function findPeopleInCopy(
  account: AccountConnection,
  mail: AddressedMail,
  known: readonly string[],
): Promise<string[]> {
  const others = othersIn(mail, known);
  if (others.length === 0) return [];
  const { ofMailboxes, ofAgents } = await findOwnAddresses(account, others);
  const people = others.filter((address) => !ofMailboxes.has(address) && !ofAgents.has(address));
  return people.length > MAX_CC ? [] : people;
}

/** Returns each Cc address once, without the customer's. Refuses addresses of the account's own mailboxes. */
export async function acceptCc(account: AccountConnection, cc: readonly string[], customer: string): Promise<string[]> {
  const wanted = distinctAddresses(cc.map((address) => address.toLowerCase())).filter(
    (address) => addressKey(address) !== addressKey(customer),
  );
  if (wanted.length === 0) return [];
  const { ofMailboxes } = await findOwnAddresses(account, wanted);
  const [own] = ofMailboxes;
  if (own !== undefined)
    throw new InvalidField('cc', 'own_address', `${own} is an address of this account, so the mail would come back`);
  return wanted;
}

export function refuseCcOfNote(cc: readonly string[]): void {
  if (cc.length > 0)
    throw new InvalidField('cc', 'cc_of_note', 'a note is for agents alone, and goes to nobody by mail');
}
