import type { FolderCounts } from '#libs/desk';
import type { Ticket } from '#libs/entities';
import type { Choices } from './choices.js';
import type { Thread } from './conversation.js';
import type { InboxQuery } from './inbox-query.js';
import type { Present } from './presence.js';

export interface InboxView {
  readonly query: InboxQuery;
  readonly counts: FolderCounts;
  readonly choices: Choices;
  readonly tickets: readonly Ticket[];
  readonly next: string | null;
  readonly open: OpenTicket | null;
}

export interface OpenTicket {
  readonly ticket: Ticket;
  readonly thread: Thread;
  readonly others: readonly Ticket[];
  readonly present: readonly Present[];
  readonly refused?: { readonly body: string; readonly note: boolean; readonly reason: string };
}
