import { TicketButton, TicketForm, type ToolProps } from './ticket-form.js';

export function TicketTags({ ticket, query }: ToolProps) {
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
