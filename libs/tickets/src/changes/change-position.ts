import { COPIED_KINDS, type CopiedKind, InvalidField } from '#libs/entities';
import { isUuid, NIL_UUID } from '#libs/database';
import { SealedPositions } from '#libs/secret-box';
import { WALKS, type Walk } from './walks.js';

/**
 * Behind which record of which transaction the feed goes on. Within a transaction it tells the records in the order of
 * `COPIED_KINDS`, and then the marks. Behind a mark that leads to other records, `keys` say which of them came last.
 */
export interface ChangePosition {
  readonly transaction: string;
  /** A kind of record, or that of a mark with `mark` before it. */
  readonly place: Place;
  readonly id: string;
  readonly keys?: readonly string[] | undefined;
}

export type Place = CopiedKind | `mark ${CopiedKind | Walk}`;

export const BEGINNING: ChangePosition = { transaction: '-1', place: COPIED_KINDS[0]!, id: NIL_UUID };

const PURPOSE = 'deskwire change cursors';

/** Cursors of the feed of changes: each with the history of the database in which its transaction has that number. */
export class ChangeCursors {
  private readonly sealed: SealedPositions;

  constructor(keys: readonly Buffer[]) {
    this.sealed = new SealedPositions(keys, PURPOSE);
  }

  seal(accountId: string, history: string, { transaction, place, id, keys }: ChangePosition): string {
    return this.sealed.seal(accountId, Buffer.from(JSON.stringify([history, transaction, place, id, keys ?? null])));
  }

  open(accountId: string, cursor: string): { history: string; position: ChangePosition } {
    const text = this.sealed.open(accountId, cursor);
    if (!text) throw invalidCursor();
    const [history, transaction, place, id, keys] = JSON.parse(text.toString()) as unknown[];
    if (!isPlace(place) || !isUuid(String(id))) throw invalidCursor();
    const position = { transaction: String(transaction), place, id: String(id), keys: (keys as string[]) ?? undefined };
    return { history: String(history), position };
  }
}

/** A cursor can come from another version of the product, which knew other places. */
const isPlace = (place: unknown): place is Place =>
  [...COPIED_KINDS, ...[...COPIED_KINDS, ...WALK_NAMES].map((kind) => `mark ${kind}`)].includes(String(place));

const WALK_NAMES = Object.keys(WALKS);

const invalidCursor = (): InvalidField =>
  new InvalidField('cursor', 'invalid_cursor', 'cursor does not come from this feed');
