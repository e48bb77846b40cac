import { type AccountConnection, accountQuery } from '#libs/database';
import { CountCache } from '#libs/lists';
import { Injectable } from '@nestjs/common';
import { type Binding, lookupOf, standsIn } from './search-lookups.js';
import type { SoughtPart } from './search-part.js';

/** What finds few tickets is looked up in an index; for what finds many the newest tickets are looked through. */
export interface PlannedPart {
  readonly part: SoughtPart;
  readonly rare: boolean;
}

/**
 * PostgreSQL cannot estimate how many tickets the beginning of a word finds, so they are counted: up to here they are
 * fetched and sorted, beyond it the newest tickets are looked through. At a million tickets both cost the same with about
 * so many; either way it is some milliseconds.
 */
const RARE = 3000;
/** Lower, because looking through tags, which stand in the ticket itself, costs less. */
const RARE_TAG = 1500;

/** What stands in so many of the newest tickets fills a page soon. It need not be counted, which takes long in a large desk. */
const NEWEST = 100;
const COMMON_AMONG_NEWEST = 10;

/** Decides how each part of a search is looked for. */
@Injectable()
export class SearchPlanner {
  constructor(private readonly cache: CountCache) {}

  /** Round trips: 1, none where all parts are known to be common, or none can be looked up. */
  async plan(connection: AccountConnection, parts: readonly SoughtPart[]): Promise<PlannedPart[]> {
    const keyOf = (part: SoughtPart): string => JSON.stringify([connection.accountId, 'common', part]);
    const open = parts.filter(
      (part) => !part.excluded && HAS_LOOKUP.has(part.kind) && this.cache.get(keyOf(part)) !== true,
    );
    const rare = new Set(await findRare(connection, open));
    for (const part of open) if (!rare.has(part)) this.cache.set(keyOf(part), true);
    return parts.map((part) => ({ part, rare: rare.has(part) }));
  }
}

const HAS_LOOKUP: ReadonlySet<SoughtPart['kind']> = new Set(['words', 'customer', 'tag', 'attachment'] as const);

async function findRare(connection: AccountConnection, parts: readonly SoughtPart[]): Promise<SoughtPart[]> {
  if (parts.length === 0) return [];
  const values: unknown[] = [];
  const binding: Binding = { accountId: connection.accountId, bind: (value) => `$${values.push(value) + 1}` };
  const columns = parts.map((part, place) => `${isRare(binding, part)} as "${place}"`);
  const found = (await connection.row<Record<string, boolean>>(
    accountQuery(
      `with newest as materialized (
         select t.id, t.number, t.customer_id, t.tags from tickets t where t.account_id = $1 and t.deleted_at is null
         order by t.created_at desc, t.number desc limit ${NEWEST})
       select ${columns.join(', ')}`,
    ),
    values,
  ))!;
  return parts.filter((_, place) => found[place]);
}

/** The second count is made only where the first finds few. */
function isRare(binding: Binding, part: SoughtPart): string {
  const most = part.kind === 'tag' ? RARE_TAG : RARE;
  return `case when (select count(*) from newest t where ${standsIn(binding, part)}) >= ${COMMON_AMONG_NEWEST} then false
    else (${counted(lookupOf(binding, part)!, most)}) <= ${most} end`;
}

const counted = (lookup: string, most: number): string =>
  `select count(*) from (select 1 from (${lookup}) found limit ${most + 1}) counted`;
