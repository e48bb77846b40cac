import { inboxPath, toSearchParams } from '../../shell/inbox-query.js';
import type { TicketChoices } from '../../shell/ticket-choices.reader.js';
import { ActionButton } from '../../ui/parts/form.js';
import { Pill, TicketStatePill } from '../../ui/parts/indicators.js';
import { RelativeTime } from '../../ui/parts/relative-time.js';
import { TicketButton, TicketForm, type ToolProps } from './ticket-form.js';
import { Assign, MoreMenu, Move, Priority, Snooze } from './ticket-tools.js';

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

function Restore({ ticket, query }: ToolProps) {
  return (
    <>
      <ActionButton
        to={`/tickets/${ticket.number}/restore`}
        label="Restore"
        class="slim"
        fields={{ back: toSearchParams(query) }}
      />
      <span class="quiet small">Deleted. To change it, restore it within 30 days.</span>
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

function TicketTags({ ticket, query }: ToolProps) {
  const { tags, deletedAt } = ticket;
  return (
    <div class="row tags">
      {tags.map((tag) => (
        <span class={deletedAt ? 'pill' : 'pill tag'} key={tag}>
          {tag}
          {!deletedAt && (
            <TicketButton
              ticket={ticket}
              query={query}
              action="untag"
              label="×"
              title={`Remove tag ${tag}`}
              fields={{ tags: tag }}
            />
          )}
        </span>
      ))}
      {!deletedAt && (
        <TicketForm ticket={ticket} query={query} action="tag" class="add-tag" label="Add a tag">
          <input
            name="tags"
            id="add-tag"
            list="known-tags"
            placeholder="Add tag"
            aria-label="Add a tag"
            maxLength={100}
            required
          />
          <button type="submit" class="slim">
            Add
          </button>
        </TicketForm>
      )}
    </div>
  );
}
