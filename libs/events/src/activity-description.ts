import { type ActivityDetail, Agent, Customer, Message, Ticket } from '#libs/entities';
import type { EventKind } from '#libs/payloads';

/** What an activity says besides its kind, who did it and when. */
export interface ActivityDescription {
  readonly ticketId: string | null;
  readonly subject: string;
  readonly detail: ActivityDetail;
}

/** The words for what an event changed; the rest of the record stands in the event itself. */
export function describeActivity(kind: EventKind, subject: Ticket | Message | Customer | Agent): ActivityDescription {
  if (subject instanceof Ticket) return describeTicketActivity(subject, DETAILS[kind]?.(subject) ?? {});
  if (subject instanceof Message)
    return { ticketId: subject.ticketId, subject: `#${subject.ticketNumber}`, detail: { message: subject.id } };
  return { ticketId: null, subject: subject.email, detail: {} };
}

export function describeTicketActivity(ticket: Ticket, detail: ActivityDetail): ActivityDescription {
  return { ticketId: ticket.id, subject: `#${ticket.number}`, detail };
}

const DETAILS: Partial<Record<EventKind, (ticket: Ticket) => ActivityDetail>> = {
  ticket_assigned: (ticket) => ({
    assignee: ticket.assignee && `${ticket.assignee.firstName} ${ticket.assignee.lastName}`.trim(),
    group: ticket.assignedGroup?.name ?? null,
  }),
  ticket_priority_changed: (ticket) => ({ priority: ticket.priority }),
  ticket_tagged: (ticket) => ({ tags: ticket.tags }),
  ticket_moved: (ticket) => ({ mailbox: ticket.mailbox.name }),
};
