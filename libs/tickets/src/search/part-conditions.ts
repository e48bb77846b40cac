import { Conditions } from '#libs/lists';
import { fileQuery, wordQuery } from './lexemes.js';
import type { SearchPart } from './search-query.js';

/** Binds values of a query whose `$1` is the account. */
export type Binding = ReturnType<typeof bindingOf>;

export const bindingOf = (accountId: string, conditions = Conditions.forAccount('t')) => ({
  accountId,
  values: conditions.values,
  bind: (value: unknown) => conditions.bind(value),
});

type PartOfCustomer = Extract<SearchPart, { kind: 'words' | 'customer' }>;
type PartInTicket = Extract<SearchPart, { kind: 'words' | 'attachment' }>;
export type PartWithLookup = PartOfCustomer | PartInTicket | Extract<SearchPart, { kind: 'tag' }>;

export const isInTicket = (part: SearchPart): part is PartInTicket =>
  part.kind === 'words' || part.kind === 'attachment';

export const isOfCustomer = (part: SearchPart): part is PartOfCustomer =>
  part.kind === 'words' || part.kind === 'customer';

export const hasLookup = (part: SearchPart): part is PartWithLookup =>
  isInTicket(part) || isOfCustomer(part) || part.kind === 'tag';

export const customerQuery = ({ accountId, bind }: Binding, { words, isExact }: PartOfCustomer): string =>
  `${bind(wordQuery(accountId, words, isExact))}::tsquery`;

export const ticketQuery = (binding: Binding, part: PartInTicket): string =>
  part.kind === 'words' ? customerQuery(binding, part) : `${binding.bind(fileQuery(binding.accountId))}::tsquery`;

/** SQL for the ids of all matching tickets, except those of matching customers. Undefined if there are no others. */
export function ticketLookup(binding: Binding, part: PartWithLookup): string | undefined {
  if (part.kind === 'customer') return undefined;
  if (part.kind === 'tag')
    return `select t.id from tickets t where t.account_id = $1 and t.tags <> '{}'
      and account_words(t.account_id, t.tags) @> account_words($1, array[${binding.bind(part.name)}::text])`;
  const found = `select tickets_with_words($1, ${ticketQuery(binding, part)})`;
  if (part.kind === 'attachment' || part.number === null) return found;
  return `${found} union all select t.id from tickets t where t.account_id = $1 and ${hasNumber(binding, part.number)}`;
}

export const hasNumber = (binding: Binding, number: number): string => `t.number = ${binding.bind(number)}::integer`;

export const hasTag = (binding: Binding, name: string): string =>
  `exists (select from unnest(t.tags) tag where lower(tag) = lower(${binding.bind(name)}::text))`;

/** An aggregate, because PostgreSQL might otherwise look up every matching customer to compare one. */
export const byCustomer = (query: string): string =>
  `coalesce((select bool_or(c.words @@ ${query}) from customer_words c where c.customer_id = t.customer_id), false)`;

/** An aggregate, because PostgreSQL might otherwise look up every matching ticket to compare one. */
export const inTicket = (query: string): string =>
  `coalesce((select bool_or(w.words @@ ${query}) from ticket_words w where w.ticket_id = t.id), false)`;

/**
 * A common table expression of the words of many tickets, read in one index scan. That takes half the time of looking up
 * each. `tickets` has their ids.
 */
export const nearbyWords = (tickets: string, condition = 'true'): string =>
  `nearby as materialized (select w.ticket_id, w.words from ticket_words w
    where w.account_id = $1 and w.ticket_id = any (array(select id from ${tickets})) and ${condition})`;

/** A subquery, because PostgreSQL builds a hash table for it but not for an array. */
export const isOneOf = (column: string, ids: string): string => `(${column} in (select unnest(${ids}))) is true`;
