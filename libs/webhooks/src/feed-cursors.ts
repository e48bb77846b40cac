import { InvalidField } from '#libs/entities';
import { SealedPositions } from '#libs/secret-box';

/** Behind which event of which transaction the feed goes on. */
export type FeedPosition = readonly [transactionId: string, sequence: string];

/** With the history of the database in which the transaction has that number. Cursors of before know of none. */
export interface FeedCursor {
  readonly history?: string | undefined;
  readonly position: FeedPosition;
}

const PURPOSE = 'deskwire event feed cursors';
const NUMBER_BYTES = 8;
const POSITION_BYTES = 2 * NUMBER_BYTES;

export class FeedCursors {
  private readonly sealed: SealedPositions;

  constructor(keys: readonly Buffer[]) {
    this.sealed = new SealedPositions(keys, PURPOSE);
  }

  seal(accountId: string, { history = '', position }: FeedCursor): string {
    const text = Buffer.alloc(POSITION_BYTES);
    position.forEach((number, index) => text.writeBigUInt64BE(BigInt(number), index * NUMBER_BYTES));
    return this.sealed.seal(accountId, Buffer.concat([text, Buffer.from(history)]));
  }

  open(accountId: string, cursor: string): FeedCursor {
    const text = this.sealed.open(accountId, cursor);
    if (!text || text.length < POSITION_BYTES)
      throw new InvalidField('cursor', 'invalid_cursor', 'cursor does not come from this feed');
    return {
      history: text.subarray(POSITION_BYTES).toString() || undefined,
      position: [`${text.readBigUInt64BE()}`, `${text.readBigUInt64BE(NUMBER_BYTES)}`],
    };
  }
}
