import { TICKET_PRIORITIES, type TicketPriority } from '#libs/entities';
import { FOLDERS, FOLDER_IDS, type FolderId } from '#libs/desk';

/** Which tickets are listed. It is part of the address of the list and of each ticket opened from it. */
export interface InboxQuery {
  /** A search without one looks everywhere but in what is deleted. */
  readonly folder: FolderId | undefined;
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
  const folderIn = (name: string) => FOLDER_IDS.find((known) => known === parameters[name]);
  /** The form of the filters says which folder is shown. A search that is typed there looks everywhere. */
  const shown = text('q') === undefined ? (folderIn('shown') ?? 'unassigned') : undefined;
  return {
    folder: folderIn('folder') ?? shown,
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

export const listName = ({ folder }: InboxQuery): string => (folder ? FOLDERS[folder].name : 'Everywhere');

/** Of a search for a ticket by its number. */
export function soughtNumber({ q, cursor }: InboxQuery): number | undefined {
  const digits = cursor === undefined ? /^#?(\d{1,9})$/.exec(q ?? '')?.[1] : undefined;
  return digits === undefined ? undefined : Number(digits);
}

/** Whether the list has a filter besides the folder. */
export const isFiltered = ({ mailbox, tag, priority, assignee, q }: InboxQuery): boolean =>
  [mailbox, tag, priority, assignee, q].some((value) => value !== undefined);
