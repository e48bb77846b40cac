import {
  type AccountConnection,
  type SystemConnection,
  accountStatement,
  rangeOf,
  rowByKey,
  systemStatement,
} from '#libs/database';
import { Event } from '#libs/entities';
import { loaderOf } from '#libs/lists';

export type FeedPosition = readonly [transactionId: string, sequence: string];

const OLDEST_RUNNING = 'pg_snapshot_xmin(pg_current_snapshot())::text::bigint';

/** Position of the newest event that the feed shows, as text. */
export const LATEST_EVENT = `coalesce((select transaction_id || ' ' || sequence from events
     where account_id = $1 and transaction_id < ${OLDEST_RUNNING} order by transaction_id desc, sequence desc limit 1), '')`;

/**
 * A transaction that began earlier may commit later, so the feed is ordered by transaction. It shows only events older
 * than every running transaction, so none can appear behind a cursor.
 */
const nextOf = (name: string, events: string) =>
  accountStatement(
    name,
    `with near as materialized (
     select e.id, e.transaction_id, e.sequence, e.kind, e.test, octet_length(e.payload) as bytes from ${events} e
     where e.account_id = $1 and e.transaction_id < ${OLDEST_RUNNING}
       and (e.transaction_id, e.sequence) > ($2, $3)
     order by e.transaction_id, e.sequence limit $4
   ), found as (
     select * from near where kind = any($5) and not test and ($6::timestamptz is null or id >= uuid_at($6))
     order by transaction_id, sequence limit $7
   )
   select database_history() as history, $2 >= pg_snapshot_xmax(pg_current_snapshot())::text::bigint as "isAhead",
     (select count(*)::int from near) as scanned,
     coalesce((select array_agg(id order by transaction_id, sequence) from found), '{}') as ids,
     coalesce((select array_agg(bytes order by transaction_id, sequence) from found), '{}') as sizes,
     (select array[transaction_id::text, sequence::text] from near order by near.transaction_id desc, near.sequence desc limit 1) as last,
     ${LATEST_EVENT} as latest`,
  );

const NEXT = nextOf('events_next', 'events');

const TICKET = `(select id from ${rowByKey('tickets', 'number', '$8::integer')} t)`;
/** The offset keeps PostgreSQL from walking through all events of the account. */
const NEXT_OF_TICKET = nextOf(
  'events_next_of_ticket',
  `(select * from events where id = any(array(select id from activities where ${rangeOf('ticket_id', TICKET)})) offset 0)`,
);

interface EventScan {
  readonly from: FeedPosition;
  readonly reach: number;
  readonly kinds: readonly string[];
  readonly since: Date | null;
  readonly limit: number;
  readonly ticket: number | undefined;
}

interface ScannedEvents {
  readonly history: string;
  /** This database has not reached `from` yet. */
  readonly isAhead: boolean;
  readonly scanned: number;
  readonly ids: readonly string[];
  readonly sizes: readonly number[];
  readonly last: FeedPosition | null;
  readonly latest: string;
}

export async function scanEvents(account: AccountConnection, { from, reach, kinds, since, limit, ticket }: EventScan) {
  const [statement, tickets] = ticket === undefined ? [NEXT, []] : [NEXT_OF_TICKET, [ticket]];
  return (await account.row<ScannedEvents>(statement, [...from, reach, kinds, since, limit, ...tickets]))!;
}

export const loadEvents = loaderOf(Event, 'events_load', 'events');

/** No transaction stays open longer, so an event has a higher transaction than one this much before. */
const MAX_TRANSACTION = '5 minutes';

const PLACE_BEFORE = systemStatement(
  'events_place_before',
  'Transactions are numbered over all accounts; only the number of the event is read',
  `select e.transaction_id as "transactionId" from events e
   where e.id < uuid_at($1::timestamptz - interval '${MAX_TRANSACTION}') order by e.id desc limit 1`,
);

export const findTransactionBefore = async (db: SystemConnection, since: Date): Promise<string | undefined> =>
  (await db.row<{ transactionId: string }>(PLACE_BEFORE, [since]))?.transactionId;
