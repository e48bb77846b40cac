import { TICKET_PRIORITIES } from '#libs/entities';
import { type FolderId, NONE, SEARCH_OPERATORS } from '#libs/tickets';
import {
  FILTER_LABELS,
  FILTER_NAMES,
  type FilterName,
  type InboxQuery,
  SORT_LABELS,
  inboxPath,
  listName,
  parseInboxQuery,
  shownSort,
} from '../inbox-query.js';
import type { TicketChoices } from './ticket-choices.reader.js';
import { agentChoices } from '../../layers/ui/agent-name.js';
import { Alert } from '../../layers/ui/layout.js';
import { type Choice, SelectOptions, choicesOf, toChoices } from '../../layers/ui/parts/fields.js';
import { HiddenFields } from '../../layers/ui/parts/form.js';
import { Icon } from '../../layers/ui/parts/icon.js';

const ORDERS = choicesOf(SORT_LABELS);

/** Adds the chosen value, which may be rare or deleted. */
function withChosen(options: readonly Choice[], chosen: string | undefined): Choice[] {
  const isOffered = chosen === undefined || options.some(({ value }) => value === chosen);
  return [{ value: '', label: 'Any' }, ...options, ...(isOffered ? [] : toChoices([chosen]))];
}

/** A GET form, so that a search has a URL to share. */
export function TicketFilters({ query, choices }: { query: InboxQuery; choices: TicketChoices }) {
  const options: Readonly<Record<FilterName, readonly Choice[]>> = {
    assignee: agentChoices(choices.agents),
    group: [{ value: NONE, label: 'None' }, ...toChoices(choices.groups)],
    priority: toChoices(TICKET_PRIORITIES),
    mailbox: toChoices(choices.mailboxes),
    tag: toChoices(choices.tags),
  };
  const shown = FILTER_NAMES.filter((name) => name !== 'group' || choices.groups.length > 0);
  return (
    <form action="/inbox" role="search" class="filters" aria-label="Tickets">
      {/* A new search covers all folders. */}
      {query.folder && <HiddenFields fields={{ [query.q === undefined ? 'shown' : 'folder']: query.folder }} />}
      <div class="row nowrap">
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
        <FilterChip name="sort" choices={ORDERS} query={query} />
      </div>
      <div class="row chips">
        {shown.map((name) => (
          <FilterChip name={name} choices={withChosen(options[name], query[name])} query={query} key={name} />
        ))}
        <noscript>
          <button type="submit" class="slim">
            Apply
          </button>
        </noscript>
      </div>
    </form>
  );
}

interface FilterChipProps {
  readonly name: FilterName | 'sort';
  readonly choices: readonly Choice[];
  readonly query: InboxQuery;
}

/** A script applies a choice at once. */
function FilterChip({ name, choices, query }: FilterChipProps) {
  const label = name === 'sort' ? 'Sort' : FILTER_LABELS[name];
  const chosen = query[name];
  return (
    <span class={chosen ? 'chip set' : 'chip'}>
      <span aria-hidden="true">{label}</span>
      <select name={name} aria-label={label} title={label}>
        <SelectOptions choices={choices} chosen={name === 'sort' ? shownSort(query) : chosen} />
      </select>
      {chosen && (
        <a href={inboxPath(query, { [name]: undefined, cursor: undefined })} aria-label={`Remove: ${label}`}>
          ×
        </a>
      )}
    </span>
  );
}

interface SearchScopeProps {
  readonly query: InboxQuery;
  readonly found: { readonly total: number; readonly capped: boolean; readonly hint: string | undefined };
  readonly fault: string | undefined;
}

/** Deleted tickets are only searched on request. */
export function SearchScope({ query, found, fault }: SearchScopeProps) {
  if (query.q === undefined) return null;
  const { folder } = query;
  const places: (FolderId | undefined)[] = [undefined, ...(folder && folder !== 'deleted' ? [folder] : []), 'deleted'];
  return (
    <div class="scope row apart small" id="scope" data-live>
      {found.hint && <p>{found.hint}</p>}
      {fault ? <Alert>{fault}</Alert> : <p role="status">{countWords(found)}</p>}
      <nav class="row" aria-label="Where to search">
        {places.map((place) => (
          <a
            class="chip"
            href={inboxPath(query, { folder: place, cursor: undefined })}
            aria-current={place === folder ? 'true' : undefined}
            key={place ?? ''}
          >
            {listName({ ...query, folder: place })}
          </a>
        ))}
        <a href={inboxPath(parseInboxQuery({ folder }))}>Clear</a>
      </nav>
    </div>
  );
}

function countWords({ total, capped }: SearchScopeProps['found']): string {
  if (capped) return `${total.toLocaleString('en')} or more found`;
  return total === 0 ? 'Nothing found' : `${total.toLocaleString('en')} found`;
}

/** The browser completes the first word, a script the others. */
export function SearchWords({ choices }: { choices: TicketChoices }) {
  const words = [
    ...SEARCH_OPERATORS.map(({ example, finds }) => ({ value: example, label: finds.replaceAll('`', '') })),
    ...choices.tags.map((tag) => ({ value: `tag:${quoted(tag)}`, label: 'tag' })),
    ...choices.agents.map(({ email }) => ({ value: `assignee:${email}`, label: 'assigned to' })),
  ];
  return (
    <datalist id="search-words">
      {words.map(({ value, label }) => (
        <option value={value} label={label} data-word={value} key={value} />
      ))}
    </datalist>
  );
}

const quoted = (tag: string): string => (/\s/.test(tag) ? `"${tag}"` : tag);
