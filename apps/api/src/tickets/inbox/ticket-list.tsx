import { beginningOf } from '#libs/entities';
import type { FolderId, ListedTicket } from '#libs/tickets';
import { type InboxQuery, inboxPath, isFiltered, listName, parseInboxQuery, ticketPath } from '../inbox-query.js';
import { agentName } from '../../layers/ui/agent-name.js';
import { usePageContext } from '../../layers/ui/page-context.js';
import {
  Avatar,
  EmptyState,
  NothingMatches,
  Pill,
  PriorityPill,
  TicketStatePill,
} from '../../layers/ui/parts/indicators.js';
import { RelativeTime, WaitingTime } from '../../layers/ui/parts/relative-time.js';
import { Pager } from '../../layers/ui/parts/table.js';
import type { SearchHits } from './search-hits.service.js';
import type { MarkedText } from './search-marks.js';

const LINE_CHARACTERS = 60;

interface TicketListProps {
  readonly query: InboxQuery;
  readonly tickets: readonly ListedTicket[];
  /** Only for a search. */
  readonly hits: SearchHits | undefined;
  readonly next: string | null;
  readonly open: number | null;
}

export function TicketList({ query, tickets, hits, next, open }: TicketListProps) {
  return (
    <div id="tickets" class="tickets" data-live tabIndex={-1}>
      {tickets.length === 0 ? (
        <NoTickets query={query} />
      ) : (
        <ol aria-label={`Tickets: ${listName(query)}`} {...(open !== null && OPEN_BESIDE)}>
          {tickets.map((ticket) => (
            <TicketRow ticket={ticket} query={query} open={open} hits={hits} key={ticket.number} />
          ))}
        </ol>
      )}
      <Pager
        next={next && inboxPath(query, { cursor: next })}
        first={query.cursor ? inboxPath(query, { cursor: undefined }) : null}
        label={`${tickets.length} shown`}
      />
    </div>
  );
}

/** On the list, for all rows: replaces only the panes of the open ticket, so that the list keeps its scroll position. */
const OPEN_BESIDE = {
  'hx-target:inherited': '#ticket',
  'hx-select:inherited': '#ticket',
  'hx-swap:inherited': 'outerHTML',
  'hx-select-oob:inherited':
    '#properties:outerHTML,#tickets:outerMorph,#folders:outerMorph,#groups:outerMorph,#views:outerMorph',
  'hx-push-url:inherited': 'true',
  // The last click counts.
  'hx-sync:inherited': '#tickets:replace',
};

interface TicketRowProps extends Pick<TicketListProps, 'query' | 'hits' | 'open'> {
  readonly ticket: ListedTicket;
}

function TicketRow({ ticket, query, open, hits }: TicketRowProps) {
  const { number, title, customer } = ticket;
  const name = customer.name() ?? customer.email;
  const unread = ticket.unread && number !== open;
  const hit = hits?.lines.get(number);
  const path = ticketPath(number, query);
  return (
    <li class={unread ? 'ticket-row unread' : 'ticket-row'} data-ticket={number} id={`row-${number}`}>
      <label class="pick">
        <input type="checkbox" name="ticket[]" value={number} form="bulk" aria-label={`Select ticket ${number}`} />
      </label>
      <a
        href={path}
        data-open
        title={rowTitle(ticket)}
        aria-current={number === open ? 'true' : undefined}
        {...(open !== null && { 'hx-get': path })}
      >
        <span class="who">
          <span class="unseen">{unread ? `New: #${number} ` : `#${number} `}</span>
          {unread && <span class="dot" />}
          <span class="clip" dir="auto">
            <Marked pieces={hits?.marks.whole(name)} fallback={name} />
          </span>
          <RowTime ticket={ticket} />
        </span>
        <span class="what">
          <span class="clip" dir="auto">
            <span class="subject">
              <Marked pieces={hits?.marks.whole(title ?? '')} fallback={title ?? '(no subject)'} />
            </span>
            {!hit && <bdi class="excerpt">{lastLine(ticket)}</bdi>}
          </span>
          <RowMarks ticket={ticket} query={query} />
        </span>
        {hit && (
          <span class="excerpt clip block" dir="auto">
            {hit.kind !== 'message' && `${HIT_WORDS[hit.kind]}: `}
            <Marked pieces={hit.line} fallback={lastLine(ticket)} />
          </span>
        )}
      </a>
    </li>
  );
}

const rowTitle = ({ number, priority, tags }: ListedTicket): string =>
  [`#${number}`, priority && `${priority} priority`, tags.join(', ')].filter(Boolean).join(' · ');

const MINUTE_MS = 60_000;

function RowTime({ ticket: { state, waitingSince, snoozedUntil, updatedAt } }: { ticket: ListedTicket }) {
  const { now } = usePageContext();
  if (snoozedUntil)
    return (
      <span class="when">
        Back <RelativeTime at={snoozedUntil} />
      </span>
    );
  const isWaiting = waitingSince && (state === 'unread' || state === 'opened');
  if (isWaiting && now.getTime() - waitingSince.getTime() >= MINUTE_MS) return <WaitingTime since={waitingSince} />;
  return <RelativeTime at={updatedAt} short />;
}

/** Only what matters in a line. The title of the row has the rest. */
function RowMarks({ ticket, query }: { ticket: ListedTicket; query: InboxQuery }) {
  const { state, priority, tags, assignee, hasDraft } = ticket;
  const [tag, ...otherTags] = tags;
  const isDone = state === 'closed' || state === 'spam';
  return (
    <>
      {hasDraft && <Pill tone="warn">draft</Pill>}
      {isDone && query.folder !== state && <TicketStatePill state={state} />}
      {(priority === 'urgent' || priority === 'high') && <PriorityPill priority={priority} />}
      {tag && (
        <span class="pill tag clip" dir="auto">
          {tag}
        </span>
      )}
      {otherTags.length > 0 && <span class="quiet small">+{otherTags.length}</span>}
      {assignee && <Avatar name={agentName(assignee)} label={`Assigned to ${agentName(assignee)}`} />}
    </>
  );
}

/** Tickets with only notes have no last message. */
function lastLine({ lastMessageText, lastMessageAgent, summary }: ListedTicket): string {
  const text = lastMessageText === null ? summary : beginningOf(lastMessageText, LINE_CHARACTERS);
  return lastMessageAgent === null ? text : `${lastMessageAgent}: ${text}`;
}

const HIT_WORDS = { note: 'Note', file: 'File' } as const;

const EMPTY_FOLDER_TEXT: Readonly<Record<FolderId, string>> = {
  needs_reply: 'No customer waits for a reply.',
  unassigned: 'Nothing is unassigned. New tickets appear here.',
  mine: 'Nothing is assigned to you. To take a ticket, open one in Unassigned and press “a”.',
  mentioned: 'Open tickets appear here when a note mentions you: @ and your name or the start of your email.',
  open: 'No open tickets. New ones appear here.',
  snoozed: 'Snoozed tickets stay here until their time is up or the customer replies.',
  closed: 'Closed tickets appear here.',
  spam: 'Tickets marked as spam appear here. Replies do not reopen them.',
  deleted: 'Deleted tickets stay here for 30 days and can be restored.',
};

function NoTickets({ query }: { query: InboxQuery }) {
  if (!isFiltered(query)) return <EmptyState title="Nothing here" text={EMPTY_FOLDER_TEXT[query.folder ?? 'open']} />;
  const href = inboxPath({ ...parseInboxQuery({}), folder: query.folder });
  return <NothingMatches title="No ticket matches" href={href} label="Clear the search and filters" />;
}

function Marked({ pieces = [], fallback }: { pieces: readonly MarkedText[] | undefined; fallback: string }) {
  if (pieces.length === 0) return <>{fallback}</>;
  return <>{pieces.map(({ text, found }, place) => (found ? <mark key={place}>{text}</mark> : text))}</>;
}
