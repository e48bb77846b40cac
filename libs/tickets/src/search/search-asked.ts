import { type Binding, byCustomer, filesOrWordsQuery, hasTag, isInTicket, isOfCustomer } from './search-lookups.js';
import { type Neighbours, inTicket, isOneOf } from './search-neighbours.js';
import type { SearchPart } from './search-part.js';

export interface Asked {
  readonly neighbours?: Neighbours | undefined;
  /** SQL for an array of all ids with these words, if known. Then no words are read. */
  readonly tickets?: string | undefined;
  /** SQL for an array of customer ids, if known. Otherwise the words of each ticket's customer are read. */
  readonly customers?: string | undefined;
}

/** SQL: whether ticket `t` matches a part. Undefined if the part is not about words or tags. */
export function standsIn(
  binding: Binding,
  part: SearchPart,
  { neighbours, tickets, customers }: Asked = {},
): string | undefined {
  if (part.kind === 'tag') return hasTag(binding, part.name);
  const ways: string[] = [];
  if (isInTicket(part)) ways.push(wordsOfTicket(binding, part, { neighbours, tickets }));
  if (isOfCustomer(part))
    ways.push(customers === undefined ? byCustomer(binding, part) : isOneOf('t.customer_id', customers));
  if (part.kind === 'words' && part.number !== null) ways.push(`t.number = ${binding.bind(part.number)}::integer`);
  return ways.length === 0 ? undefined : `(${ways.join(' or ')})`;
}

function wordsOfTicket(binding: Binding, part: SearchPart, { neighbours, tickets }: Asked): string {
  if (tickets !== undefined) return isOneOf('t.id', tickets);
  return neighbours?.haveWords(part) ?? inTicket(filesOrWordsQuery(binding, part));
}
