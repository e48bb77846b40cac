import { SEARCH_OPERATORS } from '#libs/tickets';
import type { TicketChoices } from '../../shell/ticket-choices.reader.js';

/** What the search field offers. The browser completes the first word; a script completes each that follows. */
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
