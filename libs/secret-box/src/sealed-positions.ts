import { createCipheriv, createDecipheriv, createHmac, hkdfSync } from 'node:crypto';

const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

interface Keys {
  readonly cipher: Buffer;
  readonly nonce: Buffer;
}

/**
 * Transactions are numbered over all accounts, so a cursor that could be read would tell how busy the others are. It is
 * therefore encrypted, for its account only. The nonce is made of what is encrypted: the same place has the same cursor.
 */
export class SealedPositions {
  private readonly keys: readonly Keys[];

  /** The first key seals; every key still configured opens. */
  constructor(keys: readonly Buffer[], purpose: string) {
    this.keys = keys.map((key) => {
      const derived = Buffer.from(hkdfSync('sha256', key, '', purpose, 2 * KEY_BYTES));
      return { cipher: derived.subarray(0, KEY_BYTES), nonce: derived.subarray(KEY_BYTES) };
    });
  }

  seal(accountId: string, text: Buffer): string {
    const { cipher: key, nonce: nonceKey } = this.keys[0]!;
    const nonce = createHmac('sha256', nonceKey).update(accountId).update(text).digest().subarray(0, NONCE_BYTES);
    const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(accountId));
    return Buffer.concat([nonce, cipher.update(text), cipher.final(), cipher.getAuthTag()]).toString('base64url');
  }

  /** Null for what was not sealed here, or for another account. */
  open(accountId: string, cursor: string): Buffer | null {
    const bytes = Buffer.from(cursor, 'base64url');
    if (bytes.length < NONCE_BYTES + TAG_BYTES || bytes.toString('base64url') !== cursor) return null;
    for (const { cipher } of this.keys) {
      const text = opened(cipher, accountId, bytes);
      if (text) return text;
    }
    return null;
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
