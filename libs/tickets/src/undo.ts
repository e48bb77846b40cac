import type { Ticket } from '#libs/entities';
import type { TicketValues } from './ticket-changes.js';

export type UndoableValues = Pick<
  TicketValues,
  'state' | 'priority' | 'tags' | 'title' | 'assignee' | 'assignedGroup' | 'mailbox'
>;
export type UndoablePart = keyof UndoableValues;

/** Values before and after an action. */
export interface ChangedTicket {
  readonly number: number;
  readonly was: UndoableValues;
  readonly left: UndoableValues;
}

export const valuesOf = (ticket: Ticket): Required<UndoableValues> => ({
  state: ticket.state,
  priority: ticket.priority,
  tags: ticket.tags,
  title: ticket.title,
  assignee: ticket.assigneeId,
  assignedGroup: ticket.assignedGroupId,
  mailbox: ticket.mailboxId,
});

export function changedTicket(number: number, was: UndoableValues, left: UndoableValues): ChangedTicket {
  const changed = partsOf(was).filter((part) => !isSame(part, was, left));
  return { number, was: pick(was, changed), left: pick(left, changed) };
}

/** Skips fields that others changed since. */
export function valuesToUndo(
  now: UndoableValues,
  { was, left }: Pick<ChangedTicket, 'was' | 'left'>,
): { readonly restored: UndoableValues; readonly changedSince: readonly UndoablePart[] } {
  const parts = partsOf(was);
  // A ticket has many tags. Tags that others changed since stay as they are.
  const changedSince = parts.filter((part) => part !== 'tags' && !isSame(part, now, left));
  const restored = pick(
    was,
    parts.filter((part) => !changedSince.includes(part)),
  );
  return { restored: restored.tags ? { ...restored, tags: tagsToRestore(now, was, left) } : restored, changedSince };
}

function tagsToRestore(now: UndoableValues, was: UndoableValues, left: UndoableValues): string[] {
  const [before, after] = [keysOf(was), keysOf(left)];
  const kept = (now.tags ?? []).filter((tag) => before.has(keyOf(tag)) || !after.has(keyOf(tag)));
  return [...kept, ...(was.tags ?? []).filter((tag) => !after.has(keyOf(tag)))];
}

const keyOf = (tag: string): string => tag.toLowerCase();
const keysOf = ({ tags = [] }: UndoableValues): Set<string> => new Set(tags.map(keyOf));

const partsOf = (values: UndoableValues): UndoablePart[] => Object.keys(values) as UndoablePart[];

const pick = (values: UndoableValues, parts: readonly UndoablePart[]): UndoableValues =>
  Object.fromEntries(parts.map((part) => [part, values[part]]));

function isSame(part: UndoablePart, one: UndoableValues, other: UndoableValues): boolean {
  if (part !== 'tags') return one[part] === other[part];
  const [tags, others] = [keysOf(one), keysOf(other)];
  return tags.size === others.size && [...tags].every((tag) => others.has(tag));
}
