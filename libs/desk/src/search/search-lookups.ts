import type { SearchPart } from './search-part.js';
import { fileQuery, wordQuery } from './word-query.js';

/** Where values are bound, for an account whose id is `$1`. */
export interface Binding {
  readonly accountId: string;
  bind(value: unknown): string;
}

/** SQL for the ids of the tickets that a part finds, where there is an index for it. */
export function lookupOf(binding: Binding, part: SearchPart): string | undefined {
  if (part.kind === 'attachment') return `select tickets_with_words($1, ${bindFile(binding)})`;
  if (part.kind === 'tag')
    return `select t.id from tickets t where t.account_id = $1 and t.tags <> '{}'
      and account_words(t.account_id, t.tags) @> account_words($1, array[${binding.bind(part.name)}::text])`;
  if (part.kind !== 'words' && part.kind !== 'customer') return undefined;
  const query = bindWords(binding, part);
  const ofCustomers = `select tickets_of_customers_with_words($1, ${query})`;
  if (part.kind === 'customer') return ofCustomers;
  const numbered =
    part.number === null
      ? ''
      : ` union all select t.id from tickets t where t.account_id = $1 and t.number = ${binding.bind(part.number)}::integer`;
  return `select tickets_with_words($1, ${query}) union all ${ofCustomers}${numbered}`;
}

/** The same, asked of one ticket `t`. In an aggregate, or PostgreSQL might look up all tickets that are found to compare this one. */
export function standsIn(binding: Binding, part: SearchPart): string | undefined {
  if (part.kind === 'attachment') return inTicket(bindFile(binding));
  if (part.kind === 'tag')
    return `exists (select from unnest(t.tags) tag where lower(tag) = lower(${binding.bind(part.name)}::text))`;
  if (part.kind !== 'words' && part.kind !== 'customer') return undefined;
  const query = bindWords(binding, part);
  if (part.kind === 'customer') return ofCustomer(query);
  const numbered = part.number === null ? '' : ` or t.number = ${binding.bind(part.number)}::integer`;
  return `(${inTicket(query)} or ${ofCustomer(query)}${numbered})`;
}

const inTicket = (query: string): string =>
  `coalesce((select bool_or(w.words @@ ${query}) from ticket_words w where w.ticket_id = t.id), false)`;

const ofCustomer = (query: string): string =>
  `coalesce((select bool_or(c.words @@ ${query}) from customer_words c where c.customer_id = t.customer_id), false)`;

const bindFile = (binding: Binding): string => `${binding.bind(fileQuery(binding.accountId))}::tsquery`;

const bindWords = (binding: Binding, { words, asTheyAre }: Extract<SearchPart, { words: unknown }>): string =>
  `${binding.bind(wordQuery(binding.accountId, words, asTheyAre))}::tsquery`;
