import type { Ticket } from '#libs/entities';
import { agentPayload } from './agent.payload.js';
import { groupPayload } from './group.payload.js';
import type { Links } from './links.js';
import { mailboxPayload } from './mailbox.payload.js';

/** The parts of a ticket that have an address of their own, and what stands there. */
export const TICKET_SUBRESOURCES = {
  state: ({ state }: Ticket) => ({ state }),
  assignee: ({ assignee }: Ticket, links: Links) => ({ agent: assignee && agentPayload(assignee, links) }),
  assigned_group: ({ assignedGroup }: Ticket, links: Links) => ({
    group: assignedGroup && groupPayload(assignedGroup, links),
  }),
  priority: ({ priority }: Ticket) => ({ priority }),
  tags: ({ tags }: Ticket) => ({ tags }),
  mailbox: ({ mailbox }: Ticket, links: Links) => ({ mailbox: mailboxPayload(mailbox, links) }),
  title: ({ title }: Ticket) => ({ title }),
} satisfies Record<string, (ticket: Ticket, links: Links) => object>;

export type TicketSubresource = keyof typeof TICKET_SUBRESOURCES;
