import { TICKET_PRIORITIES } from '#libs/entities';
import { type Choice, LabelledSelect, toChoices } from '../../ui/parts/fields.js';
import { HiddenFields } from '../../ui/parts/form.js';
import { Icon } from '../../ui/parts/icon.js';
import type { TicketChoices } from '../../shell/ticket-choices.reader.js';
import { type InboxQuery, LIST_SORTS, SORT_LABELS, isFiltered } from '../../shell/inbox-query.js';
import { agentChoices } from '../../ui/agent-name.js';

const ORDERS = [
  { value: '', label: 'Newest first' },
  ...LIST_SORTS.map((sort) => ({ value: sort, label: SORT_LABELS[sort] })),
];

/** What is chosen is one of them, also where it is rare, or there no longer. */
function withChosen(options: readonly Choice[], chosen: string | undefined): Choice[] {
  const isOffered = chosen === undefined || options.some(({ value }) => value === chosen);
  return [{ value: '', label: 'Any' }, ...options, ...(isOffered ? [] : toChoices([chosen]))];
}

/** A GET form, so that a search has an address to bookmark or share. */
export function TicketFilters({ query, choices }: { query: InboxQuery; choices: TicketChoices }) {
  const filters = [
    ['Assignee', 'assignee', agentChoices(choices.agents)],
    ['Priority', 'priority', toChoices(TICKET_PRIORITIES)],
    ['Mailbox', 'mailbox', toChoices(choices.mailboxes)],
    ['Tag', 'tag', toChoices(choices.tags)],
  ] as const;
  return (
    <form action="/inbox" role="search" class="filters" aria-label="Tickets">
      {/* A search looks everywhere, unless it was narrowed to a folder. */}
      {query.folder && <HiddenFields fields={{ [query.q === undefined ? 'shown' : 'folder']: query.folder }} />}
      <div class="search">
        <input
          type="search"
          name="q"
          id="search"
          value={query.q ?? ''}
          placeholder="Search everywhere"
          list="search-words"
          autocomplete="off"
          dir="auto"
          aria-label="Search tickets"
        />
        <button type="submit">
          <Icon name="search" />
          <span class="unseen">Search</span>
        </button>
      </div>
      <details open={query.sort !== undefined || isFiltered({ ...query, q: undefined })}>
        <summary class="small quiet">Filters and order</summary>
        <div class="pair">
          {filters.map(([label, name, options]) => (
            <LabelledSelect
              label={label}
              name={name}
              choices={withChosen(options, query[name])}
              chosen={query[name]}
              class="small"
              key={name}
            />
          ))}
          <LabelledSelect label="Order" name="sort" choices={ORDERS} chosen={query.sort} class="small" />
          <button type="submit" class="slim">
            Apply filters
          </button>
        </div>
      </details>
    </form>
  );
}
