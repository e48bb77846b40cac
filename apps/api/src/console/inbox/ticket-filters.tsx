import { TICKET_PRIORITIES } from '#libs/entities';
import { type Choice, HiddenFields, SelectOptions, toChoices } from '../../pages/parts/form.js';
import { Icon } from '../../pages/parts/icon.js';
import type { TicketChoices } from './ticket-choices.reader.js';
import { type InboxQuery, isFiltered } from './inbox-query.js';
import { agentChoices } from '../people/agent-name.js';

/** A GET form, so that a search has an address to bookmark or share. */
export function TicketFilters({ query, choices }: { query: InboxQuery; choices: TicketChoices }) {
  return (
    <form action="/inbox" role="search" class="filters" aria-label="Tickets">
      <HiddenFields fields={{ folder: query.folder }} />
      <div class="search">
        <input
          type="search"
          name="q"
          id="search"
          value={query.q ?? ''}
          placeholder="Search tickets"
          aria-label="Search tickets"
        />
        <button type="submit">
          <Icon name="search" />
          <span class="unseen">Search</span>
        </button>
      </div>
      <details open={isFiltered({ ...query, q: undefined })}>
        <summary class="small quiet">Filters</summary>
        <div class="pair">
          <FilterSelect
            name="assignee"
            label="Assignee"
            chosen={query.assignee}
            choices={agentChoices(choices.agents)}
          />
          <FilterSelect
            name="priority"
            label="Priority"
            chosen={query.priority}
            choices={toChoices(TICKET_PRIORITIES)}
          />
          <FilterSelect name="mailbox" label="Mailbox" chosen={query.mailbox} choices={toChoices(choices.mailboxes)} />
          <FilterSelect name="tag" label="Tag" chosen={query.tag} choices={toChoices(choices.tags)} />
          <button type="submit" class="slim">
            Apply filters
          </button>
        </div>
      </details>
    </form>
  );
}

interface FilterSelectProps {
  readonly name: string;
  readonly label: string;
  readonly choices: readonly Choice[];
  readonly chosen: string | undefined;
}

function FilterSelect({ name, label, choices, chosen }: FilterSelectProps) {
  return (
    <label class="small">
      {label}
      <select name={name}>
        <SelectOptions choices={[{ value: '', label: 'Any' }, ...choices]} chosen={chosen} />
      </select>
    </label>
  );
}
