import { type Binding, byCustomer, filesOrWordsQuery, hasTag, isInTicket, isOfCustomer } from './search-lookups.js';
import { type Neighbours, inTicket, isOneOf } from './search-neighbours.js';
import type { SearchPart } from './search-part.js';

export interface Asked {
  /** In a walk: where the words of many tickets are read at once. */
  readonly neighbours?: Neighbours | undefined;
  /** In which the part stands, if all are known, as SQL for an array of ids: then no words of tickets are read. */
  readonly tickets?: string | undefined;
  /** Of the part, as SQL for an array of ids. Without it each ticket is asked for its customer’s words. */
  readonly customers?: string | undefined;
}

/** Whether a part is true of ticket `t`; nothing where the words do not say it. */
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
