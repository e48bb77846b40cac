import type { TicketValues } from '#libs/desk';
import { InvalidField, TICKET_PRIORITIES, TICKET_STATES, type Ticket } from '#libs/entities';
import type { PageNotice, UndoForm } from '../../pages/page-response.js';
import { type InboxQuery, toSearchParams } from './inbox-query.js';

/** Where a form of a toast brings back what tickets were. */
export const UNDO_PATH = '/tickets/undo';

/** One page of the list has no more. */
const MAX_TICKETS = 100;
const MAX_TAGS = 100;

/** What an action changed of a ticket, as it was before. */
export interface FormerTicket {
  readonly number: number;
  readonly values: TicketValues;
  /** It was deleted, and is to be restored. */
  readonly deleted?: boolean;
}

/** What a toast says, with the way back. */
export const undoNotice = (text: string, back: InboxQuery, former: readonly FormerTicket[]): PageNotice => ({
  tone: 'good',
  text,
  ...(former.length > 0 && { undo: undoForm({ was: JSON.stringify(former) }, back) }),
});

/** `was` says what the tickets were, and `kept` where that is kept. */
export const undoForm = (fields: { readonly was: string } | { readonly kept: string }, back: InboxQuery): UndoForm => ({
  path: UNDO_PATH,
  fields: { ...fields, back: toSearchParams(back) },
});

/** The parts that a form may change, as they are now. */
export function formerOf(ticket: Ticket, parts: readonly (keyof TicketValues)[]): FormerTicket {
  const { number, state, priority, tags, title, assignee, assignedGroup, mailbox } = ticket;
  const all: TicketValues = {
    state,
    priority,
    tags,
    title,
    assignee: assignee?.id ?? null,
    assignedGroup: assignedGroup?.id ?? null,
    mailbox: mailbox.id,
  };
  return { number, values: Object.fromEntries(parts.map((part) => [part, all[part]])) };
}

/** From a form, so anything may stand in it. Whoever acts on it can do no more than by the buttons of a ticket. */
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
  const { number, values, deleted } = (given ?? {}) as Partial<Record<keyof FormerTicket, unknown>>;
  if (typeof number !== 'number' || !Number.isInteger(number) || number < 1 || number > 2_147_483_647) return undefined;
  const read = typeof values === 'object' && values !== null ? Object.entries(values) : [];
  if (!read.every(isRight)) return undefined;
  return { number, values: Object.fromEntries(read), deleted: deleted === true };
}

const isRight = ([part, value]: [string, unknown]): boolean => Object.hasOwn(RIGHT, part) && RIGHT[part]!(value);

const isText = (value: unknown): boolean => typeof value === 'string' && value.length <= 500;
const isTextOrNone = (value: unknown): boolean => value === null || isText(value);

const RIGHT: Readonly<Record<string, (value: unknown) => boolean>> = {
  state: (value) => TICKET_STATES.some((state) => state === value),
  priority: (value) => value === null || TICKET_PRIORITIES.some((priority) => priority === value),
  tags: (value) => Array.isArray(value) && value.length <= MAX_TAGS && value.every(isText),
  title: isTextOrNone,
  assignee: isTextOrNone,
  assignedGroup: isTextOrNone,
  mailbox: isText,
};
