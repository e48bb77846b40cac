import { TICKET_PRIORITIES } from '#libs/entities';
import { type Choice, Hidden, Options } from '../../pages/parts/form.js';
import { Icon } from '../../pages/parts/icon.js';
import type { Choices, Person } from './choices.js';
import { type InboxQuery, isFiltered } from './inbox-query.js';

/** A GET form: what was searched for stands in the address, and can be bookmarked and sent to a colleague. */
export function Filters({ query, choices }: { query: InboxQuery; choices: Choices }) {
  return (
    <form action="/inbox" role="search" class="filters" aria-label="Tickets">
      <Hidden fields={{ folder: query.folder }} />
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
      <details open={isFiltered({ ...query, q: null })}>
        <summary class="small quiet">Filters</summary>
        <div class="pair">
          <Filter name="assignee" label="Assignee" chosen={query.assignee} choices={agentChoices(choices.agents)} />
          <Filter name="priority" label="Priority" chosen={query.priority} choices={same(TICKET_PRIORITIES)} />
          <Filter name="mailbox" label="Mailbox" chosen={query.mailbox} choices={same(choices.mailboxes)} />
          <Filter name="tag" label="Tag" chosen={query.tag} choices={same(choices.tags)} />
          <button type="submit" class="slim">
            Apply filters
          </button>
        </div>
      </details>
    </form>
  );
}

interface FilterProps {
  readonly name: string;
  readonly label: string;
  readonly choices: readonly Choice[];
  readonly chosen: string | null;
}

function Filter({ name, label, choices, chosen }: FilterProps) {
  return (
    <label class="small">
      {label}
      <select name={name}>
        <Options choices={[{ value: '', label: 'Any' }, ...choices]} chosen={chosen} />
      </select>
    </label>
  );
}

export const same = (values: readonly string[]): Choice[] => values.map((value) => ({ value, label: value }));

export const agentName = ({ firstName, lastName, email }: Person): string => `${firstName} ${lastName}`.trim() || email;

export const agentChoices = (agents: readonly Person[]): Choice[] =>
  agents.map((agent) => ({ value: agent.email, label: agentName(agent) }));
