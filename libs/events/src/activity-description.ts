import { type ActivityDetail, Agent, Customer, Message, Ticket } from '#libs/entities';
import { EVENT_KINDS, type EventKind, type KindOfEvent } from '#libs/payloads';

export interface ActivityDescription {
  readonly ticketId: string | null;
  readonly subject: string;
  readonly detail: ActivityDetail;
}

/** Describes an event for the history. The full record is in the event itself. */
export function describeActivity(kind: EventKind, subject: Ticket | Message | Customer | Agent): ActivityDescription {
  const described: KindOfEvent = EVENT_KINDS[kind];
  if (subject instanceof Ticket) return describeTicketActivity(subject, described.detail?.(subject) ?? {});
  if (subject instanceof Message)
    return { ticketId: subject.ticketId, subject: `#${subject.ticketNumber}`, detail: { message: subject.id } };
  return { ticketId: null, subject: subject.email, detail: {} };
}

export function describeTicketActivity(ticket: Ticket, detail: ActivityDetail): ActivityDescription {
  return { ticketId: ticket.id, subject: `#${ticket.number}`, detail };
}
