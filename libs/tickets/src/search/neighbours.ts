import type { Walk } from '#libs/lists';
import { type Binding, filesOrWordsQuery, inTicket, isOneOf } from './part-conditions.js';
import type { SearchPart } from './search-query.js';

/** Ticket numbers have gaps, and a list sorted by update time is not in their order. */
const SPARE = 1.25;

const FIRST_ID = `'00000000-0000-0000-0000-000000000000'::uuid`;
const LAST_ID = `'ffffffff-ffff-ffff-ffff-ffffffffffff'::uuid`;

/**
 * Reads the search words of consecutive tickets in one range scan. It takes a tenth of the time of looking up each
 * ticket of a walk.
 */
export class Neighbours {
  private readonly queries: string[] = [];

  constructor(private readonly binding: Binding) {}

  /** Needs the prelude. */
  haveWords(part: SearchPart): string {
    const query = filesOrWordsQuery(this.binding, part);
    const place = this.queries.push(query) - 1;
    return `case when t.id between (select first from ends) and (select last from ends)
      then ${isOneOf('t.id', `array(select ticket_id from near where found${place})`)} else ${inTicket(query)} end`;
  }

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

/** Ids and numbers grow with time. The range only affects the cost. */
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

/** Undefined if the order does not follow time. */
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
