import {
  type AccountConnection,
  Database,
  accountStatement,
  columns,
  hydrate,
  isUuid,
  systemStatement,
} from '#libs/database';
import { Event, NotFound } from '#libs/entities';
import { cursorOfAnotherHistory, fittingRecords, loadInOrder } from '#libs/lists';
import { EVENT_KINDS, type EventKind } from '#libs/payloads';
import { SETTINGS_TOKEN, type Settings } from '#libs/settings';
import { Inject, Injectable } from '@nestjs/common';
import { type FeedCursor, FeedCursors, type FeedPosition } from './feed-cursors.js';

export interface FeedQuery {
  readonly perPage: number;
  readonly kinds?: readonly EventKind[] | undefined;
  /** Where to begin without a cursor. */
  readonly since?: Date | undefined;
  readonly cursor?: string | undefined;
}

export interface FeedPage {
  readonly events: readonly Event[];
  /** Where to go on: at once where there is `more`, or later. */
  readonly cursor: string;
  readonly hasMore: boolean;
}

/** Rare kinds are looked for among so many events at most; a page may be short, and its cursor leads on. */
const MAX_SCANNED_EVENTS = 5_000;

const BEGINNING: FeedPosition = ['0', '0'];

const ASK_SINCE =
  'Ask with `since`, a time before the last event that you have. Events that come again have the same id.';

/**
 * The order of the feed is that of the transactions, not that of time: a transaction that began earlier may commit
 * later. What is shown is older than every transaction that still runs, so nothing can appear behind a cursor.
 */
const NEXT = accountStatement(
  'events_next',
  `with near as materialized (
     select e.id, e.transaction_id, e.sequence, e.kind, e.test, octet_length(e.payload) as bytes from events e
     where e.account_id = $1 and e.transaction_id < pg_snapshot_xmin(pg_current_snapshot())::text::bigint
       and (e.transaction_id, e.sequence) > ($2, $3)
     order by e.transaction_id, e.sequence limit $4
   ), found as (
     select * from near where kind = any($5) and not test and ($6::timestamptz is null or id >= uuid_at($6))
     order by transaction_id, sequence limit $7
   )
   select database_history() as history, $2 >= pg_snapshot_xmax(pg_current_snapshot())::text::bigint as "isAhead",
     (select count(*)::int from near) as "lookedAt",
     coalesce((select array_agg(id order by transaction_id, sequence) from found), '{}') as ids,
     coalesce((select array_agg(bytes order by transaction_id, sequence) from found), '{}') as sizes,
     (select array[transaction_id::text, sequence::text] from near order by near.transaction_id desc, near.sequence desc limit 1) as last`,
);

const LOAD = accountStatement(
  'events_load',
  `select ${columns(Event, 'e')} from events e where e.account_id = $1 and e.id = any($2)`,
);

/** No transaction is open for longer: so whatever was recorded since a moment has a higher number than this long before. */
const MAX_TRANSACTION = '5 minutes';

const PLACE_BEFORE = systemStatement(
  'events_place_before',
  'Transactions are numbered over all accounts; nothing of the event but that number is read',
  `select e.transaction_id as "transactionId" from events e
   where e.id < uuid_at($1::timestamptz - interval '${MAX_TRANSACTION}') order by e.id desc limit 1`,
);

/** Behind all events of a transaction. */
const ITS_END = `${2n ** 63n - 1n}`;

interface ScannedEvents {
  readonly history: string;
  /** Whether the transaction to begin behind has not happened here yet. */
  readonly isAhead: boolean;
  readonly lookedAt: number;
  readonly ids: readonly string[];
  /** Of their payloads, in bytes. */
  readonly sizes: readonly number[];
  /** The last that was looked at. */
  readonly last: FeedPosition | null;
}

/** What happened in an account, oldest first, for whoever would rather ask than be told. */
@Injectable()
export class EventFeedService {
  private readonly cursors: FeedCursors;

  constructor(
    private readonly database: Database,
    @Inject(SETTINGS_TOKEN) settings: Settings,
  ) {
    this.cursors = new FeedCursors(settings.SECRETS_KEY.map(({ key }) => key));
  }

  /** Round trips: 2, and 1 where it begins at a time. What it costs does not depend on what the history holds. */
  async page(accountId: string, query: FeedQuery): Promise<FeedPage> {
    const account = this.database.account(accountId);
    const begin = await this.beginOf(accountId, query);
    const from = begin.position;
    const reach = query.kinds ? MAX_SCANNED_EVENTS : query.perPage + 1;
    const { ids, sizes, lookedAt, last, history, isAhead } = await find(account, { from, reach, query });
    if (isAhead || (begin.history ?? history) !== history) throw cursorOfAnotherHistory(ASK_SINCE);
    const kept = Math.min(query.perPage, fittingRecords(sizes));
    const more = kept < ids.length;
    const events = await loadInOrder(account, LOAD, ids.slice(0, kept), eventOf);
    const end = more ? positionOf(events) : last;
    const cursor = this.cursors.seal(accountId, { history, position: end ?? from });
    return { events, cursor, hasMore: more || lookedAt === reach };
  }

  async read(accountId: string, id: string): Promise<Event> {
    const row = isUuid(id) ? await this.database.account(accountId).row(LOAD, [[id]]) : undefined;
    const event = row && eventOf(row);
    if (!event) throw new NotFound('event');
    return event;
  }

  private async beginOf(accountId: string, { cursor, since }: FeedQuery): Promise<FeedCursor> {
    if (cursor !== undefined) return this.cursors.open(accountId, cursor);
    if (since === undefined) return { position: BEGINNING };
    const before = await this.database.system().row<{ transactionId: string }>(PLACE_BEFORE, [since]);
    return { position: before ? [before.transactionId, ITS_END] : BEGINNING };
  }
}

const eventOf = (row: Record<string, unknown>): Event | null => hydrate(Event, row, 'e');

async function find(
  account: AccountConnection,
  { from, reach, query }: { from: FeedPosition; reach: number; query: FeedQuery },
): Promise<ScannedEvents> {
  const { kinds = Object.keys(EVENT_KINDS), since = null, perPage } = query;
  return (await account.row<ScannedEvents>(NEXT, [...from, reach, kinds, since, perPage + 1]))!;
}

function positionOf(events: readonly Event[]): FeedPosition | null {
  const last = events.at(-1);
  return last ? [last.transactionId, last.sequence] : null;
}
