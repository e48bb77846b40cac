import { InvalidField } from '#libs/entities';
import { SealedPositions } from '#libs/secret-box';

/** Behind which event of which transaction the feed goes on. */
export type FeedPosition = readonly [transactionId: string, sequence: string];

const PURPOSE = 'deskwire event feed cursors';
const NUMBER_BYTES = 8;

export class FeedCursors {
  private readonly sealed: SealedPositions;

  constructor(keys: readonly Buffer[]) {
    this.sealed = new SealedPositions(keys, PURPOSE);
  }

  seal(accountId: string, place: FeedPosition): string {
    const text = Buffer.alloc(2 * NUMBER_BYTES);
    place.forEach((number, index) => text.writeBigUInt64BE(BigInt(number), index * NUMBER_BYTES));
    return this.sealed.seal(accountId, text);
  }

  open(accountId: string, cursor: string): FeedPosition {
    const text = this.sealed.open(accountId, cursor);
    if (text?.length !== 2 * NUMBER_BYTES)
      throw new InvalidField('cursor', 'invalid_cursor', 'cursor does not come from this feed');
    return [`${text.readBigUInt64BE()}`, `${text.readBigUInt64BE(NUMBER_BYTES)}`];
  }
}
