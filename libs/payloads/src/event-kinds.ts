import { type ActivityDetail, type Scope, type Ticket, changesIn } from '#libs/entities';
import type { Links } from './links.js';
import { messagePayload } from './message.payload.js';
import { agentPayload, customerPayload } from './people.payload.js';
import { ticketPayload } from './ticket.payload.js';

export interface KindOfEvent {
  /** The record of section 2 of the specification that the event carries. */
  readonly record: 'Ticket' | 'Customer' | 'Message' | 'Agent';
  /** A token needs it to receive the event. */
  readonly scope: Scope;
  readonly payload: (subject: never, links: Links) => object;
  readonly when: string;
  readonly detail?: (ticket: Ticket) => ActivityDetail;
  /** The agent’s action in the history. “This” is the ticket. */
  readonly action: string | ((detail: ActivityDetail) => string);
}

const ticket = { record: 'Ticket', scope: 'tickets:read', payload: ticketPayload } as const;
const message = { record: 'Message', scope: 'tickets:read', payload: messagePayload } as const;
const customer = { record: 'Customer', scope: 'customers:read', payload: customerPayload } as const;
const agent = { record: 'Agent', scope: 'people:read', payload: agentPayload } as const;

/**
 * Types, validation, OpenAPI, documentation and the console's history derive from it. A new kind needs an entry here, a
 * sample, and a call beside the change.
 */
export const EVENT_KINDS = {
  ticket_started: { ...ticket, when: 'A ticket is created.', action: 'started this ticket' },
  ticket_opened: { ...ticket, when: 'A ticket’s state changes to opened.', action: opened },
  ticket_closed: { ...ticket, when: 'A ticket’s state changes to closed.', action: 'closed this' },
  ticket_assigned: {
    ...ticket,
    when: 'A ticket’s assignee or assigned group changes or is removed.',
    detail: ({ assignee, assignedGroup }) => ({
      assignee: assignee && `${assignee.firstName} ${assignee.lastName}`.trim(),
      group: assignedGroup?.name ?? null,
    }),
    action: assigned,
  },
  ticket_priority_changed: {
    ...ticket,
    when: 'A ticket’s priority changes.',
    detail: ({ priority }) => ({ priority }),
    action: ({ priority }) => (priority ? `set the priority to ${String(priority)}` : 'removed the priority'),
  },
  ticket_deleted: { ...ticket, when: 'A ticket is deleted. The payload is its last state.', action: 'deleted this' },
  ticket_tagged: {
    ...ticket,
    when: 'Tags are added to or removed from a ticket.',
    detail: ({ tags }) => ({ tags }),
    action: tagged,
  },
  ticket_moved: {
    ...ticket,
    when: 'A ticket is moved to another mailbox.',
    detail: ({ mailbox }) => ({ mailbox: mailbox.name }),
    action: ({ mailbox }) => `moved this to ${String(mailbox ?? 'another mailbox')}`,
  },
  customer_replied: {
    ...message,
    when: 'A customer’s message is added to an existing ticket.',
    action: 'wrote as the customer',
  },
  customer_added: { ...customer, when: 'A customer is created.', action: 'added the customer' },
  agent_invited: { ...agent, when: 'An agent is invited.', action: 'invited the agent' },
  agent_archived: { ...agent, when: 'An agent is archived.', action: 'archived the agent' },
  note_added: { ...message, when: 'An internal note is added to an existing ticket.', action: 'added a note' },
  agent_replied: { ...message, when: 'An agent’s public message is added to an existing ticket.', action: 'replied' },
} satisfies Record<string, KindOfEvent>;

function assigned({ assignee, group }: ActivityDetail): string {
  if (assignee && group) return `assigned this to ${String(assignee)} and the group ${String(group)}`;
  if (assignee) return `assigned this to ${String(assignee)}`;
  return group ? `assigned this to the group ${String(group)}` : 'unassigned this';
}

function opened(detail: ActivityDetail): string {
  const [before] = changesIn(detail)['state'] ?? [];
  return before === 'closed' || before === 'spam' ? 'reopened this' : 'set this to open';
}

function tagged(detail: ActivityDetail): string {
  const [before = [], after = []] = (changesIn(detail)['tags'] ?? []) as [string[]?, string[]?];
  const added = after.filter((tag) => !before.includes(tag));
  const removed = before.filter((tag) => !after.includes(tag));
  const parts = [added.length > 0 && `added ${tagList(added)}`, removed.length > 0 && `removed ${tagList(removed)}`];
  return parts.filter(Boolean).join(' and ') || 'changed the tags';
}

const tagList = (tags: readonly string[]): string => `the ${tags.length === 1 ? 'tag' : 'tags'} ${tags.join(', ')}`;

export type EventKind = keyof typeof EVENT_KINDS;
export type SubjectOf<K extends EventKind> = Parameters<(typeof EVENT_KINDS)[K]['payload']>[0];

export const isEventKind = (kind: string): kind is EventKind => Object.hasOwn(EVENT_KINDS, kind);

/** Serialises the payload once: these bytes are stored, signed and sent. */
export function serialisePayload<K extends EventKind>(kind: K, subject: SubjectOf<K>, links: Links): string {
  // TypeScript cannot see that `kind` and `subject` match; the signature ensures it.
  return JSON.stringify((EVENT_KINDS[kind].payload as (subject: SubjectOf<K>, links: Links) => object)(subject, links));
}
