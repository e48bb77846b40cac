import { type AccountConnection, Database, accountQuery } from '#libs/database';
import { InvalidField } from '#libs/entities';
import { Injectable } from '@nestjs/common';
import { Counts } from './counts.js';
import { type Cursor, cursorText, readCursor } from './cursor.js';
import { COUNTED_ROWS, type Listing, type Order, type Page, type PageRequest } from './listing.js';

/** The records of a page, in the order of their ids. */
type Load<T> = (connection: AccountConnection, ids: readonly string[]) => Promise<T[]>;

type Row = Readonly<Record<string, unknown>>;

/** Whoever asks, of an account. */
interface Within {
  readonly accountId: string;
}

@Injectable()
export class Lists {
  constructor(
    private readonly database: Database,
    private readonly counts: Counts,
  ) {}

  /** Three round trips, two where the count is known to be over the cap: ids of one page, number of rows, records. */
  async page<T>(within: Within, listing: Listing, request: PageRequest, load: Load<T>): Promise<Page<T>> {
    const account = this.database.account(within.accountId);
    const page = await this.find(account, listing, request);
    return { ...page, items: await load(account, page.items) };
  }

  private async find(account: AccountConnection, listing: Listing, request: PageRequest): Promise<Page<string>> {
    const cursor = placeOf(request, listing.order);
    const found = await readRows(account, listing, request, cursor);
    const { total, capped } = await this.counts.of(account, listing);
    const backwards = cursor?.direction === 'before';
    const more = found.length > request.perPage;
    const rows = found.slice(0, request.perPage);
    if (backwards) rows.reverse();
    const { page, perPage } = request;
    return {
      items: rows.map((row) => String(row['id'])),
      page,
      perPage,
      total,
      capped,
      next: backwards || more ? edge('after', rows.at(-1), listing.order) : null,
      previous: page > 1 && (!backwards || more) ? edge('before', rows[0], listing.order) : null,
    };
  }
}

function placeOf({ page, perPage, cursor }: PageRequest, order: Order): Cursor | undefined {
  if (cursor !== undefined)
    return readCursor(
      cursor,
      order.name,
      order.keys.map(({ type }) => type),
    );
  if (page * perPage > COUNTED_ROWS)
    throw new InvalidField('page', 'page_too_far', `page ${page} is reached by following next_page`);
  return undefined;
}

function readRows(
  connection: AccountConnection,
  { from, id, conditions, order }: Listing,
  { page, perPage }: PageRequest,
  cursor: Cursor | undefined,
): Promise<Row[]> {
  const within = conditions.copy();
  const backwards = cursor?.direction === 'before';
  const direction = order.descending === backwards ? 'asc' : 'desc';
  const columns = order.keys.map(({ column }) => column);
  if (cursor) {
    const values = order.keys.map(({ type }, place) => `${within.value(cursor.keys[place])}::${type}`);
    within.add(`(${columns.join(', ')}) ${direction === 'asc' ? '>' : '<'} (${values.join(', ')})`);
  }
  const offset = cursor ? 0 : (page - 1) * perPage;
  const query = accountQuery(
    `select ${id} as id, ${columns.map((column, place) => `${column} as key${place}`).join(', ')} from ${from}
     where ${within.sql()} order by ${columns.map((column) => `${column} ${direction}`).join(', ')}
     limit ${perPage + 1} offset ${offset}`,
  );
  return connection.rows<Row>(query, within.values);
}

function edge(direction: Cursor['direction'], row: Row | undefined, order: Order): string | null {
  if (!row) return null;
  const keys = order.keys.map((_, place) => keyText(row[`key${place}`]));
  return cursorText({ direction, sort: order.name, keys });
}

const keyText = (key: unknown): string => (key instanceof Date ? key.toISOString() : String(key));
