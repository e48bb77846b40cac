import type { Draft, Ticket } from '#libs/entities';
import { typedAddresses } from '#libs/mailboxes';
import { MAX_CC, distinctAddresses } from '#libs/tickets';
import type { FormFields } from '../../ui/form-fields.js';
import type { FormState } from '../../ui/page-response.js';
import { EMAIL } from '../../edge/field-patterns.js';

/** Addresses in Cc as the agent chose them on a page. */
export interface ChosenCc {
  readonly cc: readonly string[];
  readonly removedCc: readonly string[];
}

/** An address that the form offers for Cc, and whether it is chosen. */
export interface OfferedCc {
  readonly address: string;
  readonly isChosen: boolean;
}

const MAX_ADDRESS_CHARACTERS = 254;
/** The addresses of the ticket, and those that were added. */
const MAX_OFFERED = 2 * MAX_CC;
/** Longer than MAX_CC addresses with their names. Addresses cut off here would be refused as too many anyway. */
const MAX_TYPED_CHARACTERS = 16_384;

const isAddress = (text: string): boolean => text.length <= MAX_ADDRESS_CHARACTERS && EMAIL.test(text);

/** Returns the addresses that a draft keeps. Leaves out one that is still being typed. */
export function chosenCcIn(form: FormFields): ChosenCc {
  const cc = wantedCcIn(form).filter(isAddress).slice(0, MAX_CC);
  const offered = form.texts('cc_offered').slice(0, MAX_OFFERED).filter(isAddress);
  return { cc, removedCc: offered.filter((address) => !cc.includes(address)) };
}

/** Returns every ticked or typed entry, also those that are not addresses. */
export const wantedCcIn = (form: FormFields): string[] =>
  distinctAddresses([...form.texts('cc').slice(0, MAX_OFFERED), ...typedIn(form)]);

const typedIn = (form: FormFields): string[] => typedAddresses(form.text('more_cc').slice(0, MAX_TYPED_CHARACTERS));

/** Returns the values with which the form is redisplayed. */
export function typedCcIn(form: FormFields): FormState['values'] {
  const { cc, removedCc } = chosenCcIn(form);
  const more = typedIn(form).filter((address) => !isAddress(address));
  return { cc: cc.join('\n'), removed_cc: removedCc.join('\n'), more_cc: more.join(', ') };
}

/** Returns the addresses of the ticket, the added ones and the removed ones, each with its state. */
export function offeredCc(
  { ccAddresses }: Ticket,
  draft: Draft | null,
  { cc, removed_cc: removedCc }: FormState['values'],
): OfferedCc[] {
  const added = cc === undefined ? (draft?.ccAddresses ?? []) : linesOf(cc);
  const removed = removedCc === undefined ? (draft?.removedCc ?? []) : linesOf(removedCc);
  return distinctAddresses([...ccAddresses, ...added, ...removed]).map((address) => ({
    address,
    isChosen: added.includes(address) || !removed.includes(address),
  }));
}

const linesOf = (text: string): string[] => text.split('\n').filter(Boolean);
