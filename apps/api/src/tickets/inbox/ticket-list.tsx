import { beginningOf } from '#libs/entities';
import type { FolderId, ListedTicket } from '#libs/tickets';
import { type InboxQuery, inboxPath, isFiltered, listName, parseInboxQuery, ticketPath } from '../inbox-query.js';
import { usePageContext } from '../../layers/ui/page-context.js';
import {
  Avatar,
  EmptyState,
  NothingMatches,
  Pill,
  PriorityPill,
  TicketStatePill,
} from '../../layers/ui/parts/indicators.js';
import { RelativeTime, formatDuration } from '../../layers/ui/parts/relative-time.js';
import { Pager } from '../../layers/ui/parts/table.js';
import type { SearchHits } from './search-hits.service.js';
import type { MarkedText } from './search-marks.js';

const LINE_CHARACTERS = 200;

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
        <ol aria-label={`Tickets: ${listName(query)}`}>
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

/** Replaces only the panes of the open ticket, so that the list keeps its scroll position. */
const openBesideAttributes = (number: number, query: InboxQuery): object => ({
  'hx-get': ticketPath(number, query),
  'hx-target': '#ticket',
  'hx-select': '#ticket',
  'hx-swap': 'outerHTML',
  'hx-select-oob': '#customer:outerHTML,#tickets:outerMorph,#folders:outerMorph,#views:outerMorph',
  'hx-push-url': 'true',
});

interface TicketRowProps extends Pick<TicketListProps, 'query' | 'hits' | 'open'> {
  readonly ticket: ListedTicket;
}

function TicketRow({ ticket, query, open, hits }: TicketRowProps) {
  const { number, state, priority, tags, assignee, customer, waitingSince, snoozedUntil, hasDraft } = ticket;
  const name = customer.name() ?? customer.email;
  const unread = ticket.unread && number !== open;
  const hit = hits?.lines.get(number);
  return (
    <li class={unread ? 'ticket-row unread' : 'ticket-row'} data-ticket={number} id={`row-${number}`}>
      <label class="pick">
        <input type="checkbox" name="ticket[]" value={number} form="bulk" />
        <span class="unseen">{`Select ticket ${number}`}</span>
      </label>
      <a
        href={ticketPath(number, query)}
        data-open
        aria-current={number === open ? 'true' : undefined}
        {...(open !== null && openBesideAttributes(number, query))}
      >
        <span class="who">
          {unread && <span class="dot" title="Unread" />}
          {unread && <span class="unseen">Unread: </span>}
          <span class="clip" dir="auto">
            <Marked pieces={hits?.marks.whole(name)} fallback={name} />
          </span>
          <RelativeTime at={ticket.updatedAt} short />
        </span>
        <span class="subject clip block" dir="auto">
          <Marked pieces={hits?.marks.whole(ticket.title ?? '')} fallback={ticket.title ?? '(no subject)'} />
        </span>
        <span class={hit ? 'excerpt quiet small found block' : 'excerpt quiet small clip block'} dir="auto">
          {hit && hit.kind !== 'message' && `${HIT_WORDS[hit.kind]}: `}
          <Marked pieces={hit?.line} fallback={lastLine(ticket)} />
        </span>
        <span class="marks">
          <span class="quiet small">#{number}</span>
          {waitingSince && (state === 'unread' || state === 'opened') && <Waiting since={waitingSince} />}
          {hasDraft && <Pill tone="warn">your draft</Pill>}
          {snoozedUntil && (
            <Pill>
              back <RelativeTime at={snoozedUntil} />
            </Pill>
          )}
          {(state === 'closed' || state === 'pending' || state === 'spam') && <TicketStatePill state={state} />}
          {priority && <PriorityPill priority={priority} />}
          {tags.slice(0, 3).map((tag) => (
            <Pill key={tag}>{tag}</Pill>
          ))}
          {assignee && <AssigneeMark name={`${assignee.firstName} ${assignee.lastName}`} />}
        </span>
      </a>
    </li>
  );
}

/** Tickets with only notes have no last message. */
function lastLine({ lastMessageText, lastMessageAgent, summary }: ListedTicket): string {
  const text = lastMessageText === null ? summary : beginningOf(lastMessageText, LINE_CHARACTERS);
  return lastMessageAgent === null ? text : `${lastMessageAgent}: ${text}`;
}

const HIT_WORDS = { note: 'Note', file: 'File' } as const;

const HOUR_MS = 3_600_000;

function Waiting({ since }: { since: Date }) {
  const { now } = usePageContext();
  const waited = now.getTime() - since.getTime();
  const tone = waited > 24 * HOUR_MS ? 'bad' : waited > 4 * HOUR_MS ? 'warn' : 'quiet';
  return <Pill tone={tone}>{`waiting ${formatDuration(waited)}`}</Pill>;
}

function AssigneeMark({ name }: { name: string }) {
  return (
    <span class="assigned" title={`Assigned to ${name}`}>
      <Avatar name={name} />
      <span class="unseen">{`Assigned to ${name}`}</span>
    </span>
  );
}

const EMPTY_FOLDER_TEXT: Readonly<Record<FolderId, string>> = {
  needs_reply: 'No customer waits for a reply.',
  unassigned: 'Nothing is unassigned. New tickets appear here.',
  mine: 'Nothing is assigned to you. To take a ticket, open one in Unassigned and press “a”.',
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
