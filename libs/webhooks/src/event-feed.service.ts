import { Database, isUuid } from '#libs/database';
import { type Event, InvalidField, existing } from '#libs/entities';
import { type FeedPage, cursorOfAnotherHistory, fittingRecords } from '#libs/lists';
import { EVENT_KINDS, type EventKind } from '#libs/payloads';
import { SealedPositions } from '#libs/secret-box';
import { SETTINGS_TOKEN, type Settings } from '#libs/settings';
import { Inject, Injectable } from '@nestjs/common';
import { type FeedPosition, findTransactionBefore, loadEvents, scanEvents } from './event.statements.js';

interface FeedQuery {
  readonly perPage: number;
  readonly kinds?: readonly EventKind[] | undefined;
  readonly since?: Date | undefined;
  readonly ticket?: number | undefined;
  readonly cursor?: string | undefined;
}

/** Bounds the scan for rare kinds. A page may be short; its cursor leads on. */
const MAX_SCANNED_EVENTS = 5_000;

const BEGINNING: FeedPosition = ['0', '0'];

const MAX_SEQUENCE = `${2n ** 63n - 1n}`;

const ASK_SINCE =
  'Ask with `since`, a time before the last event that you have. Events that come again have the same id.';

@Injectable()
export class EventFeedService {
  private readonly cursors: SealedPositions;

  constructor(
    private readonly database: Database,
    @Inject(SETTINGS_TOKEN) settings: Settings,
  ) {
    this.cursors = new SealedPositions(settings.SECRETS_KEY, 'deskwire event feed cursors');
  }

  /** Round trips: 2, and 1 more with `since`. */
  async page(accountId: string, query: FeedQuery): Promise<FeedPage<Event>> {
    const account = this.database.account(accountId);
    const begin = await this.beginOf(accountId, query);
    const from = begin.position;
    const { perPage, kinds, ticket, since = null } = query;
    const reach = kinds ? MAX_SCANNED_EVENTS : perPage + 1;
    const scan = { from, reach, kinds: kinds ?? Object.keys(EVENT_KINDS), since, ticket, limit: perPage + 1 };
    const { ids, sizes, scanned, last, latest, history, isAhead } = await scanEvents(account, scan);
    if (isAhead || (begin.history ?? history) !== history) throw cursorOfAnotherHistory(ASK_SINCE);
    const kept = Math.min(perPage, fittingRecords(sizes));
    const more = kept < ids.length;
    const items = await loadEvents(account, ids.slice(0, kept));
    const end = more ? positionOf(items) : last;
    const cursor = this.cursors.seal(accountId, cursorText(history, end ?? from));
    return { items, perPage, cursor, hasMore: more || scanned === reach, latest };
  }

  async read(accountId: string, id: string): Promise<Event> {
    const [event] = isUuid(id) ? await loadEvents(this.database.account(accountId), [id.toLowerCase()]) : [];
    return existing(event, 'event');
  }

  private async beginOf(accountId: string, { cursor, since }: FeedQuery): Promise<FeedCursor> {
    if (cursor !== undefined) return parseCursor(this.cursors.open(accountId, cursor));
    if (since === undefined) return { position: BEGINNING };
    const before = await findTransactionBefore(this.database.system(), since);
    return { position: before === undefined ? BEGINNING : [before, MAX_SEQUENCE] };
  }
}

function positionOf(events: readonly Event[]): FeedPosition | null {
  const last = events.at(-1);
  return last ? [last.transactionId, last.sequence] : null;
}

interface FeedCursor {
  /** Identifies the database that numbered the transactions. Undefined without a cursor. */
  readonly history?: string;
  readonly position: FeedPosition;
}

const NUMBER_BYTES = 8;
const POSITION_BYTES = 2 * NUMBER_BYTES;

function cursorText(history: string, position: FeedPosition): Buffer {
  const numbers = Buffer.alloc(POSITION_BYTES);
  position.forEach((number, index) => numbers.writeBigUInt64BE(BigInt(number), index * NUMBER_BYTES));
  return Buffer.concat([numbers, Buffer.from(history)]);
}

function parseCursor(text: Buffer | null): FeedCursor {
  if (!text) throw new InvalidField('cursor', 'invalid_cursor', 'cursor does not come from this feed');
  return {
    history: text.subarray(POSITION_BYTES).toString(),
    position: [`${text.readBigUInt64BE()}`, `${text.readBigUInt64BE(NUMBER_BYTES)}`],
  };
}
