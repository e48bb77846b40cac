import type { Ticket } from '#libs/entities';
import type { Links } from './links.js';

/** Section 2.3 of the specification first and in its order; ours after. */
export function ticketPayload(ticket: Ticket, links: Links) {
  return {
    assigned_group: ticket.assignedGroup?.name ?? null,
    assignee: ticket.assignee?.email ?? null,
    created_at: ticket.createdAt.toISOString(),
    updated_at: ticket.updatedAt.toISOString(),
    number: ticket.number,
    priority: ticket.priority,
    resolution_time: ticket.resolutionTime,
    title: ticket.title,
    href: links.ticket(ticket.number),
    closed_by: ticket.closedBy?.email ?? null,
    links: {
      ...(ticket.assignee && { assignee: { href: links.agent(ticket.assignee.email) } }),
      customer: { href: links.customer(ticket.customer.email) },
      state: { href: links.ticketState(ticket.number) },
      messages: { href: links.ticketMessages(ticket.number) },
    },
    id: String(ticket.number),
    state: ticket.state,
    tags: ticket.tags,
    mailbox: ticket.mailbox.name,
    summary: ticket.summary,
    message_count: ticket.messageCount,
    snoozed_until: ticket.snoozedUntil?.toISOString() ?? null,
    customer_name: ticket.customer.name(),
    app_url: links.ticketPage(ticket.number),
  };
}
