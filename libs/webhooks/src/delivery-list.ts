import { type AccountConnection, accountQuery } from '#libs/database';
import { type DeliveryStanding, type DeliveryState, InvalidField, standingSql } from '#libs/entities';
import {
  MAX_COUNTED_ROWS,
  Conditions,
  type Cursor,
  type Page,
  type PageRequest,
  encodeCursor,
  decodeCursor,
} from '#libs/lists';

export interface DeliveryQuery extends PageRequest {
  readonly states?: readonly DeliveryState[] | undefined;
  readonly standings?: readonly DeliveryStanding[] | undefined;
  readonly since?: Date | undefined;
  readonly before?: Date | undefined;
}

const SORT = '-id';

/**
 * States change with every delivery, so no index may hold them: each would be written again each time. A list of some
 * states looks through so many deliveries at most; where that does not fill a page, the page is short and the next one
 * goes on from there.
 */
const MAX_SCANNED_DELIVERIES = 10_000;

interface ScannedDeliveries {
  readonly ids: string[];
  readonly lookedAt: number;
  /** The last that was looked at, in the direction of the walk. */
  readonly last: string | null;
}

/** Ids of one page of a webhook’s deliveries, newest first. Whatever the history holds, two ranges of one index are read. */
export async function findDeliveriesPage(
  account: AccountConnection,
  webhookId: string,
  query: DeliveryQuery,
): Promise<Page<string>> {
  const { page, perPage } = query;
  const cursor = cursorOf(query);
  const backwards = cursor?.direction === 'before';
  const skipped = cursor ? 0 : (page - 1) * perPage;
  const reach = isFiltered(query) ? MAX_SCANNED_DELIVERIES : skipped + perPage + 1;
  const stretch = await scanDeliveries(account, within(webhookId, query), { query, cursor, skipped, reach });
  const more = stretch.ids.length > perPage;
  const ids = stretch.ids.slice(0, perPage);
  const end = more ? ids.at(-1)! : stretch.lookedAt === reach ? stretch.last : null;
  const begin = ids[0] ?? cursor?.keys[0] ?? null;
  const [newer, older] = backwards ? [end, begin] : [begin, end];
  const { total, capped } = await count(account, within(webhookId, query), query);
  return {
    items: backwards ? ids.toReversed() : ids,
    page,
    perPage,
    total,
    totalPages: Math.ceil(total / perPage),
    capped,
    next: place('after', older),
    previous: page > 1 ? place('before', newer) : null,
  };
}

function cursorOf({ page, perPage, cursor }: PageRequest): Cursor | undefined {
  if (cursor !== undefined) return decodeCursor(cursor, SORT, ['uuid']);
  if (page * perPage > MAX_COUNTED_ROWS)
    throw new InvalidField('page', 'page_too_far', `page ${page} is too far; follow next_page to reach it`);
  return undefined;
}

/** A delivery’s id tells when it was made, so a time is a place in the index. */
function within(webhookId: string, { since, before }: DeliveryQuery): Conditions {
  const conditions = Conditions.forAccount('d');
  conditions.add(`d.webhook_id = ${conditions.bind(webhookId)}`);
  if (since) conditions.add(`d.id >= uuid_at(${conditions.bind(since)})`);
  if (before) conditions.add(`d.id < uuid_at(${conditions.bind(before)})`);
  return conditions;
}

interface DeliveryScan {
  readonly query: DeliveryQuery;
  readonly cursor: Cursor | undefined;
  readonly skipped: number;
  readonly reach: number;
}

async function scanDeliveries(
  account: AccountConnection,
  conditions: Conditions,
  by: DeliveryScan,
): Promise<ScannedDeliveries> {
  const { query, cursor, skipped, reach } = by;
  const backwards = cursor?.direction === 'before';
  const direction = backwards ? 'asc' : 'desc';
  if (cursor) conditions.add(`d.id ${backwards ? '>' : '<'} ${conditions.bind(cursor.keys[0])}::uuid`);
  const range = conditions.sql();
  const wanted = wantedSql(conditions, query);
  const sql = `with near as materialized (
      select d.id, d.state, d.attempts, d.last_status from deliveries d where ${range} order by d.id ${direction} limit ${reach}
    ), found as (
      select id from near where ${wanted} order by id ${direction} limit ${query.perPage + 1} offset ${skipped}
    )
    select (select count(*)::int from near) as "lookedAt", (select id from near order by id ${backwards ? 'desc' : 'asc'} limit 1) as last,
      coalesce((select array_agg(id order by id ${direction}) from found), '{}') as ids`;
  return (await account.row<ScannedDeliveries>(accountQuery(sql), conditions.values))!;
}

const isFiltered = ({ states, standings }: DeliveryQuery): boolean => Boolean(states ?? standings);

/** Of the rows that were looked at, by the name of `near`. */
function wantedSql(conditions: Conditions, { states, standings }: DeliveryQuery): string {
  const wanted = ['true'];
  if (states) wanted.push(`near.state = any(${conditions.bind(states)})`);
  if (standings) wanted.push(`${standingSql('near')} = any(${conditions.bind(standings)})`);
  return wanted.join(' and ');
}

async function count(
  account: AccountConnection,
  conditions: Conditions,
  query: DeliveryQuery,
): Promise<{ total: number; capped: boolean }> {
  const range = conditions.sql();
  const wanted = wantedSql(conditions, query);
  const sql = `select count(*) filter (where ${wanted})::int as total, count(*) > ${MAX_COUNTED_ROWS} as capped
    from (select d.state, d.attempts, d.last_status from deliveries d where ${range} order by d.id desc limit ${MAX_COUNTED_ROWS + 1}) near`;
  const { total, capped } = (await account.row<{ total: number; capped: boolean }>(
    accountQuery(sql),
    conditions.values,
  ))!;
  return { total: Math.min(total, MAX_COUNTED_ROWS), capped };
}

const place = (direction: Cursor['direction'], id: string | null): string | null =>
  id === null ? null : encodeCursor({ direction, sort: SORT, keys: [id] });
