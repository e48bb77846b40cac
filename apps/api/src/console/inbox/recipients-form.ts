import { MAX_CC, distinctAddresses, typedAddresses } from '#libs/desk';
import type { Draft, Ticket } from '#libs/entities';
import type { FormFields } from '../../pages/form-fields.js';
import type { FormState } from '../../pages/page-response.js';
import { EMAIL } from '../../http/field-patterns.js';

/** Who gets a copy, as somebody chose it on a page. */
export interface ChosenCc {
  readonly cc: readonly string[];
  readonly removedCc: readonly string[];
}

/** Somebody who can get a copy of a reply, and whether they will. */
export interface OfferedCc {
  readonly address: string;
  readonly isChosen: boolean;
}

const MAX_ADDRESS_CHARACTERS = 254;
/** Those of a ticket, and those who were added. */
const MAX_OFFERED = 2 * MAX_CC;
/** Longer than the largest number of addresses with their names. What is cut off is too many anyway. */
const MAX_TYPED_CHARACTERS = 16_384;

const isAddress = (text: string): boolean => text.length <= MAX_ADDRESS_CHARACTERS && EMAIL.test(text);

/** What a draft keeps: half an address that is being typed is left out. */
export function chosenCcIn(form: FormFields): ChosenCc {
  const cc = wantedCcIn(form).filter(isAddress).slice(0, MAX_CC);
  const offered = form.texts('cc_offered').slice(0, MAX_OFFERED).filter(isAddress);
  return { cc, removedCc: offered.filter((address) => !cc.includes(address)) };
}

/** All that is ticked or typed, also what is no address. */
export const wantedCcIn = (form: FormFields): string[] =>
  distinctAddresses([...form.texts('cc').slice(0, MAX_OFFERED), ...typedIn(form)]);

const typedIn = (form: FormFields): string[] => typedAddresses(form.text('more_cc').slice(0, MAX_TYPED_CHARACTERS));

/** The fields as the form is shown again with them. */
export function typedCcIn(form: FormFields): FormState['values'] {
  const { cc, removedCc } = chosenCcIn(form);
  const more = typedIn(form).filter((address) => !isAddress(address));
  return { cc: cc.join('\n'), removed_cc: removedCc.join('\n'), more_cc: more.join(', ') };
}

/** Those of the ticket, unless they were taken out, and those who were added. */
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
