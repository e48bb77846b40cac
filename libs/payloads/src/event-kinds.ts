import { agentPayload } from './agent.payload.js';
import { customerPayload } from './customer.payload.js';
import type { Links } from './links.js';
import { messagePayload } from './message.payload.js';
import { ticketPayload } from './ticket.payload.js';

interface KindOfEvent {
  /** Which record of the specification's section 2 it carries. */
  readonly record: 'Ticket' | 'Customer' | 'Message' | 'Agent';
  readonly payload: (subject: never, links: Links) => object;
  readonly when: string;
}

const ticket = { record: 'Ticket', payload: ticketPayload } as const;
const message = { record: 'Message', payload: messagePayload } as const;
const customer = { record: 'Customer', payload: customerPayload } as const;
const agent = { record: 'Agent', payload: agentPayload } as const;

/**
 * Every kind of event a webhook may ask for, and the record it carries. Types, validation, documentation, OpenAPI and
 * the completeness tests derive from this record: a new kind is a line here and a call beside the change.
 */
export const EVENT_KINDS = {
  ticket_started: { ...ticket, when: 'A ticket is created, whoever starts it.' },
  ticket_opened: { ...ticket, when: 'A ticket’s state becomes opened.' },
  ticket_closed: { ...ticket, when: 'A ticket’s state becomes closed.' },
  ticket_assigned: { ...ticket, when: 'A ticket’s assignee or assigned group changes, to none included.' },
  ticket_priority_changed: { ...ticket, when: 'A ticket’s priority changes.' },
  ticket_deleted: { ...ticket, when: 'A ticket is deleted; the payload shows it as it last was.' },
  ticket_tagged: { ...ticket, when: 'A ticket’s set of tags changes.' },
  ticket_moved: { ...ticket, when: 'A ticket moves to another mailbox.' },
  customer_replied: { ...message, when: 'A customer’s message joins an existing ticket.' },
  customer_added: { ...customer, when: 'A customer record is created, however.' },
  agent_invited: { ...agent, when: 'An agent is invited.' },
  agent_archived: { ...agent, when: 'An agent is archived.' },
  note_added: { ...message, when: 'An internal note joins an existing ticket.' },
  agent_replied: { ...message, when: 'An agent’s public message joins an existing ticket.' },
} satisfies Record<string, KindOfEvent>;

export type EventKind = keyof typeof EVENT_KINDS;
export type SubjectOf<K extends EventKind> = Parameters<(typeof EVENT_KINDS)[K]['payload']>[0];

export const isEventKind = (kind: string): kind is EventKind => Object.hasOwn(EVENT_KINDS, kind);

/** The bytes that are stored, signed and sent: serialised once, here. */
export function serialisePayload<K extends EventKind>(kind: K, subject: SubjectOf<K>, links: Links): string {
  // TypeScript cannot see that `kind` and `subject` belong together once both vary; the signature above says it.
  return JSON.stringify((EVENT_KINDS[kind].payload as (subject: SubjectOf<K>, links: Links) => object)(subject, links));
}
