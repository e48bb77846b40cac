import { InvalidField, TICKET_PRIORITIES, TICKET_STATES } from '#libs/entities';
import type { ChangedTicket, UndoableValues } from '#libs/tickets';
import { type InboxQuery, toSearchParams } from '../../shell/inbox-query.js';
import type { UndoForm } from '../../ui/page-response.js';

const UNDO_PATH = '/tickets/undo';

const MAX_TICKETS = 100;
const MAX_TAGS = 100;

export interface FormerTicket extends ChangedTicket {
  readonly deleted?: boolean;
}

export const deletedTicket = (number: number): FormerTicket => ({ number, was: {}, left: {}, deleted: true });

export const isChanged = ({ was, deleted }: FormerTicket): boolean => deleted === true || Object.keys(was).length > 0;

/** `was` has the former tickets, `kept` the id of their row. */
export const undoForm = (fields: { readonly was: string } | { readonly kept: string }, back: InboxQuery): UndoForm => ({
  path: UNDO_PATH,
  fields: { ...fields, back: toSearchParams(back) },
});

/** Unsigned, because it allows no more than the buttons of a ticket. */
export function parseFormer(text: string): FormerTicket[] {
  const parsed = parseJson(text);
  const former = Array.isArray(parsed) ? parsed.slice(0, MAX_TICKETS).map(readFormer) : [undefined];
  if (former.length === 0 || former.includes(undefined))
    throw new InvalidField('was', 'malformed', 'This cannot be undone.');
  return former as FormerTicket[];
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function readFormer(given: unknown): FormerTicket | undefined {
  const { number, was, left, deleted } = (given ?? {}) as Partial<Record<keyof FormerTicket, unknown>>;
  if (typeof number !== 'number' || !Number.isInteger(number) || number < 1 || number > 2_147_483_647) return undefined;
  const [before, after] = [readValues(was), readValues(left)];
  if (!before || !after || Object.keys(before).some((part) => !Object.hasOwn(after, part))) return undefined;
  return { number, was: before, left: after, deleted: deleted === true };
}

function readValues(given: unknown): UndoableValues | undefined {
  if (typeof given !== 'object' || given === null) return undefined;
  const values = Object.entries(given);
  return values.every(isValid) ? Object.fromEntries(values) : undefined;
}

const isValid = ([part, value]: [string, unknown]): boolean =>
  Object.hasOwn(VALIDATORS, part) && VALIDATORS[part]!(value);

const isText = (value: unknown): boolean => typeof value === 'string' && value.length <= 500;
const isTextOrNone = (value: unknown): boolean => value === null || isText(value);

const VALIDATORS: Readonly<Record<string, (value: unknown) => boolean>> = {
  state: (value) => TICKET_STATES.some((state) => state === value),
  priority: (value) => value === null || TICKET_PRIORITIES.some((priority) => priority === value),
  tags: (value) => Array.isArray(value) && value.length <= MAX_TAGS && value.every(isText),
  title: isTextOrNone,
  assignee: isTextOrNone,
  assignedGroup: isTextOrNone,
  mailbox: isText,
};
