import type { Ticket } from '#libs/entities';
import { ActionButton } from '../../pages/parts/form.js';
import { TicketStatePill } from '../../pages/parts/indicators.js';
import type { TicketChoices } from './ticket-choices.reader.js';
import { type InboxQuery, inboxPath, toSearchParams } from './inbox-query.js';
import { SWAPPED_PARTS, TicketTags } from './ticket-tags.js';
import { Assign, MoreMenu, Move, Priority, type ToolProps } from './ticket-tools.js';

interface TicketHeadProps {
  readonly ticket: Ticket;
  readonly query: InboxQuery;
  readonly choices: TicketChoices;
}

export function TicketHead({ ticket, query, choices }: TicketHeadProps) {
  const { number, title } = ticket;
  return (
    <header class="ticket-head" id="facts" data-live>
      <div class="row">
        <a class="button slim back" href={inboxPath(query)}>
          ← List
        </a>
        <h1 class="break">{title ?? '(no subject)'}</h1>
        <span class="quiet">#{number}</span>
        <TicketStatePill state={ticket.state} />
      </div>
      <div class="ticket-tools">
        {ticket.deletedAt ? (
          <Restore ticket={ticket} query={query} />
        ) : (
          <>
            <Assign ticket={ticket} query={query} choices={choices} />
            <Priority ticket={ticket} query={query} />
            <Move ticket={ticket} query={query} choices={choices} />
            <StateButtons ticket={ticket} query={query} />
            <MoreMenu ticket={ticket} query={query} />
          </>
        )}
      </div>
      <TicketTags ticket={ticket} query={query} />
    </header>
  );
}

/** A deleted ticket can only be restored. */
function Restore({ ticket, query }: ToolProps) {
  return (
    <>
      <ActionButton
        to={`/tickets/${ticket.number}/restore`}
        label="Restore"
        class="slim"
        fields={{ back: toSearchParams(query) }}
      />
      <span class="quiet small">Deleted. It is kept for 30 days, and nothing can be changed until it is restored.</span>
    </>
  );
}

function StateButtons({ ticket, query }: ToolProps) {
  const { state, number } = ticket;
  const to = `/tickets/${number}/state`;
  const back = toSearchParams(query);
  return (
    <>
      {state === 'closed' || state === 'spam' ? (
        <ActionButton to={to} label="Re-open" class="slim" fields={{ back, state: 'opened' }} swap={SWAPPED_PARTS} />
      ) : (
        <ActionButton to={to} label="Close" class="slim" fields={{ back, state: 'closed' }} swap={SWAPPED_PARTS} />
      )}
    </>
  );
}
