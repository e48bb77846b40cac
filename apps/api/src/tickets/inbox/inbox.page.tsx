import type { Ticket } from '#libs/entities';
import { formatSeen } from '#libs/tickets';
import { PresenceBar } from '../../layers/live/presence-bar.js';
import { Conversation } from '../../messages/index.js';
import { isFiltered, listName, toSearchParams } from '../inbox-query.js';
import { Shell } from '../../layers/shell/shell.js';
import { InboxSidebar, shownView } from '../sidebar/inbox-sidebar.js';
import { usePageContext } from '../../layers/ui/page-context.js';
import { EmptyState } from '../../layers/ui/parts/indicators.js';
import { Composer } from '../composer/composer.js';
import { DraftOfDeleted } from '../composer/draft-state.js';
import { SaveView } from '../views/save-view-form.js';
import { BulkBar } from './bulk-actions.page.js';
import { FirstRunChecklist } from './first-run.js';
import type { InboxView } from './inbox.reader.js';
import type { OpenTicket } from './open-ticket.reader.js';
import { SearchScope, SearchWords, TicketFilters } from './ticket-filters.js';
import { TicketHead } from './ticket-head.js';
import { TicketList } from './ticket-list.js';
import { TicketProperties } from './ticket-properties.js';

const TICKET_SKIPS = { ticket: 'Skip to ticket', body: 'Skip to reply' };

export function InboxPage({ view }: { view: InboxView }) {
  const { query, open, choices, counts, views, groups, tickets } = view;
  const number = open?.ticket.number ?? null;
  const { mailboxes, tags } = choices;
  const lists = { counts, mailboxes, tags, views, groups, query };
  const shown = shownView(lists);
  const name = shown?.name ?? listName(query);
  // A page has one h1, which is the ticket’s title if one is open.
  const Title = open ? 'h2' : 'h1';
  return (
    <Shell
      title={open ? `#${number} ${open.ticket.title ?? '(no subject)'}` : name}
      links={<InboxSidebar lists={lists} />}
      watch="tickets"
      skips={open ? TICKET_SKIPS : undefined}
    >
      <main id="main" class={open ? 'desk' : 'desk listing'} tabIndex={-1}>
        <section class="list" aria-label="Ticket list">
          <div class="list-head">
            <div class="row nowrap">
              <label class="pick">
                <input type="checkbox" data-page aria-label="Select all tickets on this page" autocomplete="off" />
              </label>
              <Title class="clip" dir="auto">
                {name}
              </Title>
              {view.fault === undefined && !shown && <SaveView query={query} />}
              {query.tag && (
                <a class="small" href={`/tickets/bulk?${new URLSearchParams({ rename: query.tag }).toString()}`}>
                  Rename tag
                </a>
              )}
            </div>
            <TicketFilters query={query} choices={choices} />
            <SearchScope query={query} found={view.found} fault={view.fault} />
          </div>
          <BulkBar query={query} choices={choices} total={totalOf(view)} />
          <TicketList query={query} tickets={tickets} hits={view.hits} next={view.next} open={number} />
        </section>
        {open ? <OpenTicketPanes open={open} view={view} /> : <NoTicketOpen firstRun={view.firstRun} />}
        <SearchWords choices={choices} />
        <datalist id="known-tags">
          {tags.map((tag) => (
            <option value={tag} key={tag} />
          ))}
        </datalist>
      </main>
    </Shell>
  );
}

/** Counted lists only: searches, and folders without a filter. */
function totalOf({ query, found, counts }: InboxView): number | undefined {
  if (query.q !== undefined) return found.capped ? undefined : found.total;
  return query.folder && !isFiltered(query) ? counts[query.folder] : undefined;
}

function OpenTicketPanes({ open, view }: { open: OpenTicket; view: InboxView }) {
  const { ticket, thread, otherTickets, presentAgents, draft, held, heldBack } = open;
  const { me } = usePageContext();
  const { query, choices, tickets } = view;
  // The thread does not show the text of a colleague’s reply that only waits for an undo.
  const shown = heldBack ? held : held.filter(({ agentId, scheduledAt }) => agentId === me.agentId || scheduledAt);
  const seen = formatSeen({ messages: ticket.messageCount, held: shown.map(({ id }) => id) });
  const next = nextTicketNumber(tickets, ticket);
  return (
    <>
      <section
        class="ticket"
        id="ticket"
        aria-label={`Ticket ${ticket.number}`}
        data-ticket={ticket.number}
        data-list={toSearchParams(query)}
        tabIndex={-1}
      >
        <TicketHead ticket={ticket} query={query} next={next} />
        <PresenceBar present={presentAgents} />
        <Conversation ticket={ticket} query={query} thread={thread} held={held} seen={seen} />
        {ticket.deletedAt ? (
          <DraftOfDeleted draft={draft} />
        ) : (
          <Composer open={open} query={query} next={next} seen={seen} />
        )}
      </section>
      <TicketProperties ticket={ticket} query={query} choices={choices} otherTickets={otherTickets} />
    </>
  );
}

function nextTicketNumber(tickets: readonly Ticket[], open: Ticket): number | null {
  const index = tickets.findIndex(({ number }) => number === open.number);
  const next = tickets[index + 1] ?? tickets.find(({ number }) => number !== open.number);
  return next?.number ?? null;
}

function NoTicketOpen({ firstRun }: Pick<InboxView, 'firstRun'>) {
  if (firstRun) return <FirstRunChecklist firstRun={firstRun} />;
  return (
    <section class="ticket" aria-label="No ticket open">
      <EmptyState title="No ticket is open">
        <p>
          Select a ticket, or press <kbd>j</kbd>, then <kbd>Enter</kbd>. <kbd>?</kbd> shows all shortcuts.
        </p>
      </EmptyState>
    </section>
  );
}
