import { fileQuery, wordQuery } from './lexemes.js';
import type { SearchPart } from './search-query.js';

interface KnownMatches {
  readonly neighbours?: { haveWords(part: SearchPart): string } | undefined;
  /** SQL for an array of ids. Without it, the words of each ticket are read. */
  readonly tickets?: string | undefined;
  /** SQL for an array of ids. Without it, the words of each customer are read. */
  readonly customers?: string | undefined;
}

/** Undefined if the part is not about words or tags. */
export function matchesTicket(
  binding: Binding,
  part: SearchPart,
  { neighbours, tickets, customers }: KnownMatches = {},
): string | undefined {
  if (part.kind === 'tag') return hasTag(binding, part.name);
  const conditions: string[] = [];
  if (isInTicket(part)) conditions.push(wordsOfTicket(binding, part, { neighbours, tickets }));
  if (isOfCustomer(part))
    conditions.push(customers === undefined ? byCustomer(binding, part) : isOneOf('t.customer_id', customers));
  if (part.kind === 'words' && part.number !== null)
    conditions.push(`t.number = ${binding.bind(part.number)}::integer`);
  return conditions.length === 0 ? undefined : `(${conditions.join(' or ')})`;
}

function wordsOfTicket(binding: Binding, part: SearchPart, { neighbours, tickets }: KnownMatches): string {
  if (tickets !== undefined) return isOneOf('t.id', tickets);
  return neighbours?.haveWords(part) ?? inTicket(filesOrWordsQuery(binding, part));
}

/** Binds values of a query whose `$1` is the account. */
export interface Binding {
  readonly accountId: string;
  bind(value: unknown): string;
}

export type PartWithLookup = Extract<SearchPart, { kind: 'words' | 'customer' | 'tag' | 'attachment' }>;

export const hasLookup = (part: SearchPart): part is PartWithLookup =>
  part.kind === 'words' || part.kind === 'customer' || part.kind === 'tag' || part.kind === 'attachment';

export const isInTicket = ({ kind }: SearchPart): boolean => kind === 'words' || kind === 'attachment';

export const isOfCustomer = (part: SearchPart): part is Extract<SearchPart, { words: unknown }> =>
  part.kind === 'words' || part.kind === 'customer';

/** Undefined if a part matches customers only. */
export function ticketLookup(binding: Binding, part: PartWithLookup): string | undefined {
  if (part.kind === 'customer') return undefined;
  if (part.kind === 'tag')
    return `select t.id from tickets t where t.account_id = $1 and t.tags <> '{}'
      and account_words(t.account_id, t.tags) @> account_words($1, array[${binding.bind(part.name)}::text])`;
  const found = `select tickets_with_words($1, ${filesOrWordsQuery(binding, part)})`;
  if (part.kind === 'attachment' || part.number === null) return found;
  return `${found} union all
    select t.id from tickets t where t.account_id = $1 and t.number = ${binding.bind(part.number)}::integer`;
}

export const customerLookup = (binding: Binding, part: Extract<SearchPart, { words: unknown }>): string =>
  `select customers_with_words($1, ${bindWords(binding, part)})`;

const hasTag = (binding: Binding, name: string): string =>
  `exists (select from unnest(t.tags) tag where lower(tag) = lower(${binding.bind(name)}::text))`;

/** An aggregate, because PostgreSQL might otherwise look up every matching customer to compare one. */
export const byCustomer = (binding: Binding, part: Extract<SearchPart, { words: unknown }>): string =>
  `coalesce((select bool_or(c.words @@ ${bindWords(binding, part)}) from customer_words c where c.customer_id = t.customer_id), false)`;

export function filesOrWordsQuery(binding: Binding, part: SearchPart): string {
  if (part.kind === 'words') return bindWords(binding, part);
  return `${binding.bind(fileQuery(binding.accountId))}::tsquery`;
}

export const bindWords = (binding: Binding, { words, isExact }: Extract<SearchPart, { words: unknown }>): string =>
  `${binding.bind(wordQuery(binding.accountId, words, isExact))}::tsquery`;

/** An aggregate, because PostgreSQL might otherwise look up every matching ticket to compare one. */
export const inTicket = (query: string): string =>
  `coalesce((select bool_or(w.words @@ ${query}) from ticket_words w where w.ticket_id = t.id), false)`;

/** A subquery, because PostgreSQL builds a hash table for it but not for an array. */
export const isOneOf = (column: string, ids: string): string => `(${column} in (select unnest(${ids}))) is true`;
