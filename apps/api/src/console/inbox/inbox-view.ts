import type { FolderCounts } from '#libs/desk';
import type { Ticket } from '#libs/entities';
import type { TicketChoices } from './ticket-choices.reader.js';
import type { Thread } from './conversation.js';
import type { InboxQuery } from './inbox-query.js';
import type { PresentAgent } from './presence-bar.js';

export interface InboxView {
  readonly query: InboxQuery;
  readonly counts: FolderCounts;
  readonly choices: TicketChoices;
  readonly tickets: readonly Ticket[];
  readonly next: string | null;
  readonly open: OpenTicket | null;
}

export interface OpenTicket {
  readonly ticket: Ticket;
  readonly thread: Thread;
  readonly otherTickets: readonly Ticket[];
  readonly presentAgents: readonly PresentAgent[];
}
