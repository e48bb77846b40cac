import type { Walk } from '#libs/lists';
import { type Binding, filesOrWordsQuery } from './search-lookups.js';
import type { SearchPart } from './search-part.js';

/** Numbers have gaps, and a list that is sorted by its changes is not in the order of the numbers. */
const SPARE = 1.25;

const FIRST_ID = `'00000000-0000-0000-0000-000000000000'::uuid`;
const LAST_ID = `'ffffffff-ffff-ffff-ffff-ffffffffffff'::uuid`;

/**
 * A walk through the newest tickets asks each of them for the words of the search. Most of those tickets were also begun
 * one after the other. The words of such neighbours are read in one go, which takes a tenth of looking each of them up.
 */
export class Neighbours {
  private readonly queries: string[] = [];

  constructor(private readonly binding: Binding) {}

  /** SQL: whether the words of a part stand in ticket `t`. It needs the prelude. */
  haveWords(part: SearchPart): string {
    const query = filesOrWordsQuery(this.binding, part);
    const place = this.queries.push(query) - 1;
    return `case when t.id between (select first from ends) and (select last from ends)
      then ${isOneOf('t.id', `array(select ticket_id from near where found${place})`)} else ${inTicket(query)} end`;
  }

  /** SQL that stands before the statement of the walk. */
  prelude(walk: Walk): string {
    if (this.queries.length === 0) return '';
    const columns = this.queries.map((query, place) => `w.words @@ ${query} as found${place}`);
    const found = this.queries.map((query) => `w.words @@ ${query}`).join(' or ');
    return `with ${endsOf(walk)}, near as materialized (
        select w.ticket_id, ${columns.join(', ')} from ticket_words w
        where (w.account_id, w.ticket_id) >= ($1, (select first from ends))
          and (w.account_id, w.ticket_id) <= ($1, (select last from ends))
          and case when ${found} then true else false end)`;
  }
}

/** The tickets with words of one walk: asked in an aggregate, or PostgreSQL might look up all that are found to compare this one. */
export const inTicket = (query: string): string =>
  `coalesce((select bool_or(w.words @@ ${query}) from ticket_words w where w.ticket_id = t.id), false)`;

/** Compared by a table of hashes: PostgreSQL makes none of an array, nor of what it believes to be long. */
export const isOneOf = (column: string, ids: string): string => `(${column} in (select unnest(${ids}))) is true`;

/** The ids of the first and the last neighbour. They grow with the time and the numbers, and nothing but the cost depends on it. */
function endsOf(walk: Walk): string {
  const { direction, from } = walk;
  const begin = numberAtBegin(walk);
  if (begin === undefined) return `ends as materialized (select ${LAST_ID} as first, ${FIRST_ID} as last)`;
  const rows = Math.ceil(walk.rows * SPARE);
  const spared = rows - walk.rows;
  const [first, last] =
    direction === 'desc'
      ? [`start.number - ${rows}`, `start.number + ${spared}`]
      : [`start.number - ${spared}`, `start.number + ${rows}`];
  const end = direction === 'desc' && from === undefined ? LAST_ID : idBefore(last);
  return `start as materialized (select coalesce(${begin}, 0) as number),
    ends as materialized (select coalesce(${idBefore(first)}, ${FIRST_ID}) as first, coalesce(${end}, ${LAST_ID}) as last from start)`;
}

const idBefore = (number: string): string =>
  `(select x.id from tickets x where x.account_id = $1 and x.number <= ${number} order by x.number desc limit 1)`;

/** Where the walk begins; nothing for an order that does not follow the time. */
function numberAtBegin({ order, direction, from }: Walk): string | undefined {
  const { name } = order;
  if (!FOLLOWS_TIME.has(name)) return undefined;
  if (from === undefined)
    return direction === 'asc'
      ? '0'
      : '(select x.number from tickets x where x.account_id = $1 order by x.number desc limit 1)';
  if (name.endsWith('number')) return from;
  return `(select x.number from tickets x where x.account_id = $1 and x.deleted_at is null and x.created_at <= ${from}
    order by x.created_at desc, x.number desc limit 1)`;
}

const FOLLOWS_TIME: ReadonlySet<string> = new Set([
  'created_at',
  '-created_at',
  'updated_at',
  '-updated_at',
  'number',
  '-number',
]);
