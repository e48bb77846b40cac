import { TICKET_PRIORITIES, type Ticket } from '#libs/entities';
import { FOLDERS, FOLDER_IDS, type FolderId, type TicketSort } from '#libs/tickets';

export const LIST_SORTS = ['newest', 'waiting', 'priority'] as const;
type ListSort = (typeof LIST_SORTS)[number];

export const SORT_LABELS: Readonly<Record<ListSort, string>> = {
  newest: 'Last activity first',
  waiting: 'Waiting longest',
  priority: 'By priority',
};

const TICKET_SORT = { newest: '-updated_at', waiting: 'waiting', priority: '-priority' } as const;

const usualSort = (folder: FolderId | undefined): ListSort => (folder === 'needs_reply' ? 'waiting' : 'newest');

export const shownSort = ({ sort, folder }: InboxQuery): ListSort => sort ?? usualSort(folder);

export const sortOf = (query: InboxQuery): TicketSort => TICKET_SORT[shownSort(query)];

/** The filters, in the order of the form. */
export const FILTER_LABELS = {
  assignee: 'Assignee',
  group: 'Group',
  priority: 'Priority',
  mailbox: 'Mailbox',
  tag: 'Tag',
} as const;
export type FilterName = keyof typeof FILTER_LABELS;
export const FILTER_NAMES = Object.keys(FILTER_LABELS) as FilterName[];

/** Without a folder, a search covers everything except deleted tickets. */
export type InboxQuery = Readonly<ReturnType<typeof parseInboxQuery>>;

const MAX_PARAMETER_CHARACTERS = 512;

export function parseInboxQuery(parameters: Readonly<Record<string, unknown>>) {
  const text = (name: string): string | undefined => {
    const value = parameters[name];
    return typeof value === 'string' ? value.trim().slice(0, MAX_PARAMETER_CHARACTERS) || undefined : undefined;
  };
  const folderIn = (name: string) => FOLDER_IDS.find((known) => known === parameters[name]);
  // The filter form sends the shown folder. A search typed there covers all folders.
  const shown = text('q') === undefined ? (folderIn('shown') ?? 'unassigned') : undefined;
  const folder = folderIn('folder') ?? shown;
  return {
    folder,
    priority: TICKET_PRIORITIES.find((known) => known === parameters['priority']),
    mailbox: text('mailbox'),
    tag: text('tag'),
    assignee: text('assignee'),
    group: text('group'),
    q: text('q'),
    sort: LIST_SORTS.find((known) => known === parameters['sort'] && known !== usualSort(folder)),
    cursor: text('cursor'),
  };
}

/** A link to a ticket alone names no list. */
export const namesList = (parameters: Readonly<Record<string, unknown>>): boolean =>
  ['folder', 'q', 'sort', ...FILTER_NAMES].some((name) => parameters[name] !== undefined);

/** The list that holds the ticket. */
export function listOf(ticket: Ticket, agentId: string): InboxQuery {
  const { state, assignee } = ticket;
  const owner = assignee === null ? 'unassigned' : assignee.id === agentId ? 'mine' : 'open';
  const place = ticket.snoozedUntil ? 'snoozed' : state === 'closed' || state === 'spam' ? state : owner;
  return { ...parseInboxQuery({}), folder: ticket.deletedAt ? 'deleted' : place };
}

export function toSearchParams(query: InboxQuery, changes: Partial<InboxQuery> = {}): string {
  const kept = Object.entries({ ...query, ...changes }).filter(([, value]) => value !== undefined);
  return new URLSearchParams(kept as [string, string][]).toString();
}

/** The identity of a list, whichever page of it is shown. */
export const listQuery = (query: InboxQuery): string => toSearchParams(query, { cursor: undefined });

export const parseListQuery = (text: string): InboxQuery =>
  parseInboxQuery(Object.fromEntries(new URLSearchParams(text)));

export const groupQuery = (group: string): string => listQuery(parseInboxQuery({ folder: 'open', group }));

export const inboxPath = (query: InboxQuery, changes: Partial<InboxQuery> = {}): string =>
  `/inbox?${toSearchParams(query, changes)}`;

export const ticketPath = (number: number, query?: InboxQuery): string =>
  query ? `/tickets/${number}?${toSearchParams(query)}` : `/tickets/${number}`;

/** `source` is the id of a message, or the number of a ticket. */
export const forwardPath = (source: string | number, back: InboxQuery): string =>
  `/tickets/new?${new URLSearchParams({ forward: String(source), back: toSearchParams(back) }).toString()}`;

/** The next ticket of the list, or the list after its last one. */
export const nextPath = (next: number, query: InboxQuery): string =>
  next > 0 ? ticketPath(next, query) : inboxPath(query);

export const listName = ({ folder }: InboxQuery): string => (folder ? FOLDERS[folder].name : 'Everywhere');

export function soughtNumber({ q, cursor }: InboxQuery): number | undefined {
  const digits = cursor === undefined ? /^#?(\d{1,9})$/.exec(q ?? '')?.[1] : undefined;
  return digits === undefined ? undefined : Number(digits);
}

export const isFiltered = (query: InboxQuery): boolean =>
  query.q !== undefined || FILTER_NAMES.some((name) => query[name] !== undefined);

export function queryFacts(query: InboxQuery): [string, string | undefined][] {
  const facts: [string, string | undefined][] = [
    ['Folder', listName(query)],
    ['Search', query.q],
    ...FILTER_NAMES.map((name): [string, string | undefined] => [FILTER_LABELS[name], query[name]]),
    ['Order', query.sort && SORT_LABELS[query.sort]],
  ];
  return facts.filter(([, value]) => value !== undefined);
}
