import type { Ticket } from '#libs/entities';
import { ActionButton, Form, HiddenFields } from '../../pages/parts/form.js';
import { type InboxQuery, toSearchParams } from './inbox-query.js';

/** The parts of the page that a form above the conversation changes. The composer is not among them. */
export const SWAPPED_PARTS = 'folders tickets facts thread';

export function TicketTags({ ticket, query }: { ticket: Ticket; query: InboxQuery }) {
  const { number, tags, deletedAt } = ticket;
  const back = toSearchParams(query);
  return (
    <div class="row tags">
      {tags.map((tag) => (
        <span class={deletedAt ? 'pill' : 'pill tag'} key={tag}>
          {tag}
          {!deletedAt && (
            <ActionButton
              to={`/tickets/${number}/untag`}
              label="×"
              title={`Remove tag ${tag}`}
              fields={{ back, tags: tag }}
              swap={SWAPPED_PARTS}
            />
          )}
        </span>
      ))}
      {!deletedAt && (
        <Form action={`/tickets/${number}/tag`} swap={SWAPPED_PARTS} class="add-tag" label="Add a tag">
          <HiddenFields fields={{ back }} />
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
        </Form>
      )}
    </div>
  );
}
