import type { SavedReply, Ticket } from '#libs/entities';
import { usePageContext } from '../../layers/ui/page-context.js';
import { Icon } from '../../layers/ui/parts/icon.js';
import { fillVariables } from './variables.js';

export const PATH = '/settings/saved-replies';

/** The list loads when the menu opens, and again while the agent types. Without a script, the text is saved first. */
export function SavedReplyMenu({ number }: { number: number }) {
  const path = `/tickets/${number}/saved-replies`;
  const search = { 'hx-get': path, 'hx-trigger': 'focus, input', 'hx-target': '#saved-replies' };
  return (
    <details class="menu" data-saved-replies>
      <summary class="button plain" aria-label="Saved replies" title="Saved replies (/)">
        <Icon name="bolt" />
      </summary>
      <div class="sheet">
        <SearchField {...search} hx-select="#saved-replies" hx-swap="outerHTML" />
        <div id="saved-replies" />
        <noscript>
          <button
            type="submit"
            class="plain"
            formAction={`/tickets/${number}/draft`}
            name="then"
            value="saved-replies"
            formNoValidate
          >
            All saved replies
          </button>
        </noscript>
      </div>
    </details>
  );
}

/** Belongs to the form of the page below. In the composer, which has none, it is not sent with the reply. */
export const SearchField = (attributes: Readonly<Record<string, string>>) => (
  <input
    type="search"
    name="q"
    form="find"
    aria-label="Find a saved reply"
    placeholder="Find a saved reply"
    autocomplete="off"
    {...attributes}
  />
);

interface LinkProps {
  readonly reply: SavedReply;
  readonly ticket: Ticket | undefined;
}

/** Leads to the composer of the ticket, or else to the form of the saved reply. */
export function ReplyLink({ reply, ticket }: LinkProps) {
  const { me } = usePageContext();
  const { id, name, body, agentId } = reply;
  const href = ticket ? `/tickets/${ticket.number}?saved_reply=${id}` : `${PATH}/${id}`;
  const text = ticket ? fillVariables(body, me, ticket) : body;
  return (
    <a class="button plain saved-reply" href={href} data-text={ticket && text}>
      <strong class="clip" dir="auto">
        {name}
      </strong>
      <span class="quiet small clip" dir="auto">
        {`${agentId ? 'Only for you · ' : ''}${text.slice(0, 200)}`}
      </span>
      {ticket && (
        <template>
          <SavedReplyEffects reply={reply} />
        </template>
      )}
    </a>
  );
}

const STATE_EFFECTS = { closed: 'closes the ticket', pending: 'waits for the customer' };

/** Unticking it keeps the text. */
export function SavedReplyEffects({ reply: { id, tags, state, assignee } }: { reply: SavedReply }) {
  const tagged = tags.length > 0 && `adds ${tags.join(', ')}`;
  const effects = [tagged, state && STATE_EFFECTS[state], assignee && `assigns ${assignee}`].filter(Boolean);
  if (effects.length === 0) return <input type="hidden" name="saved_reply" value={id} />;
  return (
    <label class="check small">
      <input type="checkbox" name="saved_reply" value={id} checked />
      <span class="break">Also: {effects.join(', ')}</span>
    </label>
  );
}
