import { type AccountConnection, accountQuery } from '#libs/database';
import { DELIVERY_STATES, type DeliveryState, InvalidField } from '#libs/entities';
import {
  COUNTED_ROWS,
  Conditions,
  type Cursor,
  type Page,
  type PageRequest,
  cursorText,
  readCursor,
} from '#libs/lists';

export interface DeliveryQuery extends PageRequest {
  readonly states?: readonly DeliveryState[] | undefined;
  readonly since?: Date | undefined;
  readonly before?: Date | undefined;
}

const SORT = '-id';

/**
 * States change with every delivery, so no index may hold them: each would be written again each time. A list of some
 * states looks through so many deliveries at most; where that does not fill a page, the page is short and the next one
 * goes on from there.
 */
const LOOKED_THROUGH = 10_000;

interface Stretch {
  readonly ids: string[];
  readonly lookedAt: number;
  /** The last that was looked at, in the direction of the walk. */
  readonly last: string | null;
}

/** Ids of one page of a webhook’s deliveries, newest first. Whatever the history holds, two ranges of one index are read. */
export async function pageOfDeliveries(
  account: AccountConnection,
  webhookId: string,
  query: DeliveryQuery,
): Promise<Page<string>> {
  const { page, perPage } = query;
  const cursor = placeOf(query);
  const backwards = cursor?.direction === 'before';
  const skipped = cursor ? 0 : (page - 1) * perPage;
  const reach = query.states ? LOOKED_THROUGH : skipped + perPage + 1;
  const stretch = await walk(account, within(webhookId, query), { query, cursor, skipped, reach });
  const more = stretch.ids.length > perPage;
  const ids = stretch.ids.slice(0, perPage);
  const end = more ? ids.at(-1)! : stretch.lookedAt === reach ? stretch.last : null;
  const begin = ids[0] ?? cursor?.keys[0] ?? null;
  const [newer, older] = backwards ? [end, begin] : [begin, end];
  return {
    items: backwards ? ids.toReversed() : ids,
    page,
    perPage,
    ...(await count(account, within(webhookId, query), query)),
    next: place('after', older),
    previous: page > 1 ? place('before', newer) : null,
  };
}

function placeOf({ page, perPage, cursor }: PageRequest): Cursor | undefined {
  if (cursor !== undefined) return readCursor(cursor, SORT, ['uuid']);
  if (page * perPage > COUNTED_ROWS)
    throw new InvalidField('page', 'page_too_far', `page ${page} is reached by following next_page`);
  return undefined;
}

/** A delivery’s id tells when it was made, so a time is a place in the index. */
function within(webhookId: string, { since, before }: DeliveryQuery): Conditions {
  const conditions = Conditions.within('d');
  conditions.add(`d.webhook_id = ${conditions.value(webhookId)}`);
  if (since) conditions.add(`d.id >= uuid_at(${conditions.value(since)})`);
  if (before) conditions.add(`d.id < uuid_at(${conditions.value(before)})`);
  return conditions;
}

interface Walk {
  readonly query: DeliveryQuery;
  readonly cursor: Cursor | undefined;
  readonly skipped: number;
  readonly reach: number;
}

async function walk(account: AccountConnection, conditions: Conditions, by: Walk): Promise<Stretch> {
  const { query, cursor, skipped, reach } = by;
  const backwards = cursor?.direction === 'before';
  const direction = backwards ? 'asc' : 'desc';
  if (cursor) conditions.add(`d.id ${backwards ? '>' : '<'} ${conditions.value(cursor.keys[0])}::uuid`);
  const states = conditions.value(query.states ?? DELIVERY_STATES);
  const sql = `with near as materialized (
      select d.id, d.state from deliveries d where ${conditions.sql()} order by d.id ${direction} limit ${reach}
    ), found as (
      select id from near where state = any(${states}) order by id ${direction} limit ${query.perPage + 1} offset ${skipped}
    )
    select (select count(*)::int from near) as "lookedAt", (select id from near order by id ${backwards ? 'desc' : 'asc'} limit 1) as last,
      coalesce((select array_agg(id order by id ${direction}) from found), '{}') as ids`;
  return (await account.row<Stretch>(accountQuery(sql), conditions.values))!;
}

async function count(
  account: AccountConnection,
  conditions: Conditions,
  { states = DELIVERY_STATES }: DeliveryQuery,
): Promise<{ total: number; capped: boolean }> {
  const wanted = conditions.value(states);
  const sql = `select count(*) filter (where state = any(${wanted}))::int as total, count(*) > ${COUNTED_ROWS} as capped
    from (select d.state from deliveries d where ${conditions.sql()} order by d.id desc limit ${COUNTED_ROWS + 1}) near`;
  const { total, capped } = (await account.row<{ total: number; capped: boolean }>(
    accountQuery(sql),
    conditions.values,
  ))!;
  return { total: Math.min(total, COUNTED_ROWS), capped };
}

const place = (direction: Cursor['direction'], id: string | null): string | null =>
  id === null ? null : cursorText({ direction, sort: SORT, keys: [id] });
