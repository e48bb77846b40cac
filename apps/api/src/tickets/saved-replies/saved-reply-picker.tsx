import type { SavedReply, Ticket } from '#libs/entities';
import type { ComponentChildren } from 'preact';
import { PageLayout } from '../../layers/shell/shell.js';
import { usePageContext } from '../../layers/ui/page-context.js';
import { Icon } from '../../layers/ui/parts/icon.js';
import { EmptyState } from '../../layers/ui/parts/indicators.js';
import { fillVariables } from './variables.js';

/** The list loads when the menu opens, and again while the agent types. */
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
        <div id="saved-replies">
          <a href={path}>All saved replies</a>
        </div>
      </div>
    </details>
  );
}

/** Belongs to the form of the page below. In the composer, which has none, it is not sent with the reply. */
const SearchField = (attributes: Readonly<Record<string, string>>) => (
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

interface PickerProps {
  readonly ticket: Ticket;
  readonly replies: readonly SavedReply[];
  readonly q: string;
}

export function SavedReplyPickerPage({ ticket, replies, q }: PickerProps) {
  const { me } = usePageContext();
  const path = `/tickets/${ticket.number}`;
  return (
    <PageLayout title="Saved replies" narrow section="/inbox" intro={<a href={path}>← #{ticket.number}</a>}>
      <form id="find" class="row">
        <SearchField value={q} />
        <button type="submit">Find</button>
      </form>
      <div id="saved-replies">
        {replies.map((reply) => (
          <ReplyLink
            href={`${path}?saved_reply=${reply.id}`}
            name={reply.name}
            text={fillVariables(reply.body, me, ticket)}
          >
            <template>
              <SavedReplyEffects reply={reply} />
            </template>
          </ReplyLink>
        ))}
        {replies.length === 0 && <EmptyState title="No saved replies found" />}
        <a class="button plain" href="/settings/saved-replies">
          Manage saved replies
        </a>
      </div>
    </PageLayout>
  );
}

interface LinkProps {
  readonly href: string;
  readonly name: string;
  readonly text: string;
  readonly children?: ComponentChildren;
}

export const ReplyLink = ({ href, name, text, children }: LinkProps) => (
  <a class="button plain saved-reply" href={href} data-text={children && text}>
    <strong dir="auto">{name}</strong>
    <span class="quiet small clip" dir="auto">
      {text.slice(0, 200)}
    </span>
    {children}
  </a>
);

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
