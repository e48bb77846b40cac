import { NIL_UUID, isUuid } from '#libs/database';
import { COPIED_KINDS, InvalidField } from '#libs/entities';
import { SealedPositions } from '#libs/secret-box';
import { type ChangePosition, type Place, WALKS } from './change.statements.js';

export const BEGINNING: ChangePosition = { transaction: '-1', place: COPIED_KINDS[0]!, id: NIL_UUID };

const PURPOSE = 'deskwire change cursors';

/** A cursor includes the history of its database, because transaction numbers restart after a restore. */
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

const isPlace = (place: unknown): place is Place =>
  [...COPIED_KINDS, ...[...COPIED_KINDS, ...WALK_NAMES].map((kind) => `mark ${kind}`)].includes(String(place));

const WALK_NAMES = Object.keys(WALKS);

const invalidCursor = (): InvalidField =>
  new InvalidField('cursor', 'invalid_cursor', 'cursor does not come from this feed');
