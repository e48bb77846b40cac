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
  if (wanted.state !== undefined) return STATE_WORDS[wanted.state];
  if (wanted.assignee !== undefined) return assignedTo(changed, me);
  if (wanted.priority !== undefined) return `set to ${wanted.priority ?? 'no'} priority`;
  if (wanted.addTags) return `tagged ${wanted.addTags.join(', ')}`;
  if (wanted.mailbox !== undefined) return `moved to ${changed.mailbox.name}`;
  const { title } = changed;
  return title === null ? 'no longer has a subject' : `renamed “${beginningOf(title, MAX_SUBJECT_CHARACTERS)}”`;
}

function assignedTo({ assignee, assignedGroup }: Ticket, me: string): string {
  const agent = assignee && (assignee.id === me ? 'you' : agentName(assignee));
  const names = [agent, assignedGroup?.name].filter(Boolean).join(' · ');
  return names ? `assigned to ${names}` : 'unassigned';
}

const STATE_WORDS: Readonly<Record<TicketState, string>> = {
  unread: 'marked as unread',
  opened: 'reopened',
  pending: 'marked as pending',
  closed: 'closed',
  spam: 'marked as spam',
};
