import { TICKET_PRIORITIES, type TicketPriority } from '#libs/entities';
import { FOLDER_IDS, type FolderId } from '#libs/desk';

/** Which tickets are listed. It is part of the address of the list and of each ticket opened from it. */
export interface InboxQuery {
  readonly folder: FolderId;
  readonly priority: TicketPriority | undefined;
  readonly mailbox: string | undefined;
  readonly tag: string | undefined;
  readonly assignee: string | undefined;
  readonly q: string | undefined;
  readonly cursor: string | undefined;
}

const MAX_PARAMETER_CHARACTERS = 512;

/** Turns any address into a query. Unknown values are ignored. */
export function parseInboxQuery(parameters: Readonly<Record<string, unknown>>): InboxQuery {
  const text = (name: string): string | undefined => {
    const value = parameters[name];
    return typeof value === 'string' ? value.trim().slice(0, MAX_PARAMETER_CHARACTERS) || undefined : undefined;
  };
  return {
    folder: FOLDER_IDS.find((known) => known === parameters['folder']) ?? 'unassigned',
    priority: TICKET_PRIORITIES.find((known) => known === parameters['priority']),
    mailbox: text('mailbox'),
    tag: text('tag'),
    assignee: text('assignee'),
    q: text('q'),
    cursor: text('cursor'),
  };
}

export function toSearchParams(query: InboxQuery, changes: Partial<InboxQuery> = {}): string {
  const kept = Object.entries({ ...query, ...changes }).filter(([, value]) => value !== undefined);
  return new URLSearchParams(kept as [string, string][]).toString();
}

export const inboxPath = (query: InboxQuery, changes: Partial<InboxQuery> = {}): string =>
  `/inbox?${toSearchParams(query, changes)}`;

export const ticketPath = (number: number, query?: InboxQuery): string =>
  query ? `/tickets/${number}?${toSearchParams(query)}` : `/tickets/${number}`;

/** Whether the list has a filter besides the folder. */
export const isFiltered = ({ mailbox, tag, priority, assignee, q }: InboxQuery): boolean =>
  [mailbox, tag, priority, assignee, q].some((value) => value !== undefined);
