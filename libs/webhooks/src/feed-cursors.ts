import { createCipheriv, createDecipheriv, createHmac, hkdfSync } from 'node:crypto';
import { InvalidField } from '#libs/entities';

/** Behind which event of which transaction the feed goes on. */
export type FeedPosition = readonly [transactionId: string, sequence: string];

const PURPOSE = 'deskwire event feed cursors';
const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const NUMBER_BYTES = 8;
const TAG_BYTES = 16;
const CURSOR_BYTES = NONCE_BYTES + 2 * NUMBER_BYTES + TAG_BYTES;

interface Keys {
  readonly cipher: Buffer;
  readonly nonce: Buffer;
}

/**
 * Transactions are numbered over all accounts, so a cursor that could be read would tell how busy the others are. It is
 * therefore encrypted, for its account only. The nonce is made of what is encrypted: the same place has the same cursor.
 */
export class FeedCursors {
  private readonly keys: readonly Keys[];

  /** The first key seals; every key still configured opens. */
  constructor(keys: readonly Buffer[]) {
    this.keys = keys.map((key) => {
      const derived = Buffer.from(hkdfSync('sha256', key, '', PURPOSE, 2 * KEY_BYTES));
      return { cipher: derived.subarray(0, KEY_BYTES), nonce: derived.subarray(KEY_BYTES) };
    });
  }

  seal(accountId: string, place: FeedPosition): string {
    const { cipher: key, nonce: nonceKey } = this.keys[0]!;
    const text = Buffer.alloc(2 * NUMBER_BYTES);
    place.forEach((number, index) => text.writeBigUInt64BE(BigInt(number), index * NUMBER_BYTES));
    const nonce = createHmac('sha256', nonceKey).update(accountId).update(text).digest().subarray(0, NONCE_BYTES);
    const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(accountId));
    return Buffer.concat([nonce, cipher.update(text), cipher.final(), cipher.getAuthTag()]).toString('base64url');
  }

  open(accountId: string, cursor: string): FeedPosition {
    const bytes = Buffer.from(cursor, 'base64url');
    if (bytes.length === CURSOR_BYTES && bytes.toString('base64url') === cursor)
      for (const { cipher } of this.keys) {
        const text = opened(cipher, accountId, bytes);
        if (text) return [`${text.readBigUInt64BE()}`, `${text.readBigUInt64BE(NUMBER_BYTES)}`];
      }
    throw new InvalidField('cursor', 'invalid_cursor', 'cursor does not come from this feed');
  }
}

function opened(key: Buffer, accountId: string, bytes: Buffer): Buffer | null {
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, NONCE_BYTES))
    .setAAD(Buffer.from(accountId))
    .setAuthTag(bytes.subarray(-TAG_BYTES));
  try {
    return Buffer.concat([decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES)), decipher.final()]);
  } catch {
    return null;
  }
}
