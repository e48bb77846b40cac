import { ActionButton } from '../../ui/parts/form.js';
import { Pill, TicketStatePill } from '../../ui/parts/indicators.js';
import { RelativeTime } from '../../ui/parts/relative-time.js';
import type { TicketChoices } from '../../shell/ticket-choices.reader.js';
import { inboxPath, toSearchParams } from '../../shell/inbox-query.js';
import { TicketButton, type ToolProps } from './ticket-form.js';
import { Snooze } from './snooze.js';
import { TicketTags } from './ticket-tags.js';
import { Assign, MoreMenu, Move, Priority } from './ticket-tools.js';

export function TicketHead({ ticket, query, choices }: ToolProps & { choices: TicketChoices }) {
  const { number, title } = ticket;
  return (
    <header class="ticket-head" id="facts" data-live>
      <div class="row">
        <a class="button slim back" href={inboxPath(query)}>
          ← List
        </a>
        <h1 class="break" dir="auto">
          {title ?? '(no subject)'}
        </h1>
        <span class="quiet">#{number}</span>
        <TicketStatePill state={ticket.state} />
        {ticket.snoozedUntil && (
          <>
            <Pill>
              Snoozed, back <RelativeTime at={ticket.snoozedUntil} />
            </Pill>
            {!ticket.deletedAt && (
              <TicketButton ticket={ticket} query={query} action="wake" label="Wake" class="slim" fields={{}} />
            )}
          </>
        )}
      </div>
      <div class="ticket-tools">
        {ticket.deletedAt ? (
          <Restore ticket={ticket} query={query} />
        ) : (
          <>
            <Assign ticket={ticket} query={query} choices={choices} />
            <Priority ticket={ticket} query={query} />
            <Move ticket={ticket} query={query} choices={choices} />
            {!ticket.snoozedUntil && <Snooze ticket={ticket} query={query} />}
            <StateButton ticket={ticket} query={query} />
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

function StateButton(tool: ToolProps) {
  const { state } = tool.ticket;
  return state === 'closed' || state === 'spam' ? (
    <TicketButton {...tool} action="state" label="Re-open" class="slim" fields={{ state: 'opened' }} />
  ) : (
    <TicketButton {...tool} action="state" label="Close" class="slim" fields={{ state: 'closed' }} />
  );
}
