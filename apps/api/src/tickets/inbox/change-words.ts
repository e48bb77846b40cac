import { type Ticket, type TicketState, beginningOf } from '#libs/entities';
import type { UndoableChange } from '#libs/tickets';
import { agentName } from '../../layers/ui/agent-name.js';

const MAX_SUBJECT_CHARACTERS = 60;

/** `changed` is one of the tickets after the change. */
export function describeChange(subject: string, wanted: UndoableChange, changed: Ticket, me: string): string {
  if (wanted.removeTag !== undefined) return `Tag ${wanted.removeTag} removed from ${subject}.`;
  return `${subject} ${describeResult(wanted, changed, me)}.`;
}

function describeResult(wanted: UndoableChange, changed: Ticket, me: string): string {
  const texts = Object.values(RESULTS).map((describe) => describe(wanted, changed, me));
  return texts.find((text) => text !== undefined) ?? 'unchanged';
}

type Describe = (wanted: UndoableChange, changed: Ticket, me: string) => string | undefined;

/** The first field that was changed names the result. A record, so that the compiler names a forgotten field. */
const RESULTS: Readonly<Record<Exclude<keyof UndoableChange, 'removeTag' | 'snoozedUntil'>, Describe>> = {
  state: ({ state }) => state && STATE_WORDS[state],
  assignee: ({ assignee }, changed, me) => (assignee === undefined ? undefined : assignedTo(changed, me)),
  assignedGroup: ({ assignedGroup }, changed, me) =>
    assignedGroup === undefined ? undefined : assignedTo(changed, me),
  priority: ({ priority }) => (priority === undefined ? undefined : `set to ${priority ?? 'no'} priority`),
  addTags: ({ addTags }) => addTags && tagged(addTags),
  tags: ({ tags }) => tags && tagged(tags),
  mailbox: ({ mailbox }, changed) => (mailbox === undefined ? undefined : `moved to ${changed.mailbox.name}`),
  customer: ({ customer }, changed) =>
    customer === undefined ? undefined : `now belongs to ${changed.customer.name() ?? changed.customer.email}`,
  title: ({ title }, changed) => (title === undefined ? undefined : titled(changed)),
};

const tagged = (tags: readonly string[]): string => `tagged ${tags.join(', ')}`;

const titled = ({ title }: Ticket): string =>
  title === null ? 'no longer has a subject' : `renamed “${beginningOf(title, MAX_SUBJECT_CHARACTERS)}”`;

function assignedTo({ assignee, assignedGroup }: Ticket, me: string): string {
  const agent = assignee && (assignee.id === me ? 'you' : agentName(assignee));
  const names = [agent, assignedGroup?.name].filter(Boolean).join(' · ');
  return names ? `assigned to ${names}` : 'unassigned';
}

const STATE_WORDS: Readonly<Record<TicketState, string>> = {
  unread: 'set to new',
  opened: 'reopened',
  pending: 'set to waiting for customer',
  closed: 'closed',
  spam: 'marked as spam',
};
