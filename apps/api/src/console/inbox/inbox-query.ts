import { TICKET_PRIORITIES, type TicketPriority } from '#libs/entities';
import { FOLDER_IDS, type FolderId } from '#libs/desk';

/** Which tickets are listed. It is part of the address of the list and of each ticket opened from it. */
export interface InboxQuery {
  readonly folder: FolderId;
  readonly mailbox: string | null;
  readonly tag: string | null;
  readonly priority: TicketPriority | null;
  readonly assignee: string | null;
  readonly q: string | null;
  readonly cursor: string | null;
}

const TEXT_PARAMETERS = ['mailbox', 'tag', 'assignee', 'q', 'cursor'] as const;
const MAX_PARAMETER_CHARACTERS = 512;

/** Turns any address into a query. Unknown values are ignored. */
export function parseInboxQuery(parameters: Readonly<Record<string, unknown>>): InboxQuery {
  const { folder, priority } = parameters;
  const [mailbox, tag, assignee, q, cursor] = TEXT_PARAMETERS.map((name) => textOf(parameters[name]));
  return {
    folder: FOLDER_IDS.find((known) => known === folder) ?? 'unassigned',
    priority: TICKET_PRIORITIES.find((known) => known === priority) ?? null,
    mailbox: mailbox ?? null,
    tag: tag ?? null,
    assignee: assignee ?? null,
    q: q ?? null,
    cursor: cursor ?? null,
  };
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' && value.trim() !== '' ? value.trim().slice(0, MAX_PARAMETER_CHARACTERS) : null;
}

export function toSearchParams(query: InboxQuery, changes: Partial<InboxQuery> = {}): string {
  const kept = Object.entries({ ...query, ...changes }).filter(([, value]) => value !== null);
  return new URLSearchParams(kept as [string, string][]).toString();
}

export const inboxPath = (query: InboxQuery, changes: Partial<InboxQuery> = {}): string =>
  `/inbox?${toSearchParams(query, changes)}`;

export const ticketPath = (number: number, query?: InboxQuery): string =>
  query ? `/tickets/${number}?${toSearchParams(query)}` : `/tickets/${number}`;

/** Whether the list has a filter besides the folder. */
export const isFiltered = ({ mailbox, tag, priority, assignee, q }: InboxQuery): boolean =>
  [mailbox, tag, priority, assignee, q].some((value) => value !== null);
