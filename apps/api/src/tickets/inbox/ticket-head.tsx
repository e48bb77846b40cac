import { inboxPath, toSearchParams } from '../inbox-query.js';
import type { TicketChoices } from './ticket-choices.reader.js';
import { ActionButton, SubmitButton } from '../../layers/ui/parts/form.js';
import { Pill, TicketStatePill } from '../../layers/ui/parts/indicators.js';
import { RelativeTime } from '../../layers/ui/parts/relative-time.js';
import { Assign, MoreMenu, Move, Priority, Snooze, TicketButton, TicketForm, type ToolProps } from './ticket-tools.js';

export function TicketHead({ choices, ...tool }: ToolProps & { choices: TicketChoices }) {
  const { number, title, state, snoozedUntil, deletedAt } = tool.ticket;
  return (
    <header class="ticket-head" id="facts" data-live>
      <div class="row">
        <a class="button slim back" href={inboxPath(tool.query)}>
          ← List
        </a>
        <h1 class="break" dir="auto">
          {title ?? '(no subject)'}
        </h1>
        <span class="quiet">#{number}</span>
        <TicketStatePill state={state} />
        {snoozedUntil && (
          <>
            <Pill>
              Snoozed, back <RelativeTime at={snoozedUntil} />
            </Pill>
            {!deletedAt && <TicketButton {...tool} action="wake" label="Wake" class="slim" />}
          </>
        )}
      </div>
      <div class="ticket-tools">
        {deletedAt ? (
          <Restore {...tool} />
        ) : (
          <>
            <Assign {...tool} choices={choices} />
            <Priority {...tool} />
            <Move {...tool} choices={choices} />
            {!snoozedUntil && <Snooze {...tool} />}
            <StateButton {...tool} />
            <MoreMenu {...tool} />
          </>
        )}
      </div>
      <TicketTags {...tool} />
    </header>
  );
}

function Restore({ ticket, query }: ToolProps) {
  const back = toSearchParams(query);
  return (
    <>
      <ActionButton to={`/tickets/${ticket.number}/restore`} label="Restore" class="slim" fields={{ back }} />
      <span class="quiet small">Deleted. You can restore it within 30 days.</span>
    </>
  );
}

function StateButton(tool: ToolProps) {
  const { state } = tool.ticket;
  const isDone = state === 'closed' || state === 'spam';
  const fields = { state: isDone ? 'opened' : 'closed' };
  return <TicketButton {...tool} action="state" label={isDone ? 'Reopen' : 'Close'} class="slim" fields={fields} />;
}

const TAG_HINT = 'Completes known tags. Press Delete to keep only what you typed.';

export const TagInput = (attributes: Readonly<Record<string, string | boolean>>) => (
  <input name="tags" list="known-tags" title={TAG_HINT} maxLength={100} data-completes {...attributes} />
);

function TicketTags(tool: ToolProps) {
  const { tags, deletedAt } = tool.ticket;
  return (
    <div class="row tags">
      {tags.map((tag) => (
        <span class={deletedAt ? 'pill' : 'pill tag'} key={tag}>
          {tag}
          {!deletedAt && (
            <TicketButton {...tool} action="untag" label="×" title={`Remove tag ${tag}`} fields={{ tags: tag }} />
          )}
        </span>
      ))}
      {!deletedAt && (
        <TicketForm {...tool} action="tag" class="add-tag" label="Add a tag">
          <TagInput id="add-tag" aria-label="Add a tag" placeholder="Add tag" required />
          <SubmitButton class="slim">Add</SubmitButton>
        </TicketForm>
      )}
    </div>
  );
}
