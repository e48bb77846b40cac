import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto';
import { SETTINGS_TOKEN, type SealingKey, type Settings } from '#libs/settings';
import type { Provider } from '@nestjs/common';

const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

export type SealedValue = { readonly sealed: Buffer; readonly keyId: string };

/**
 * Encrypts secrets that must be read again to sign or compare. The newest key seals; every configured key opens. `owner`
 * is bound to the ciphertext, so a sealed secret does not open in another row.
 */
export class SecretBox {
  static readonly provider: Provider = {
    provide: SecretBox,
    inject: [SETTINGS_TOKEN],
    useFactory: ({ SECRETS_KEY }: Settings) => new SecretBox(SECRETS_KEY),
  };

  constructor(private readonly keys: readonly SealingKey[]) {
    if (keys.length === 0) throw new Error('SECRETS_KEY must name at least one key');
  }

  seal(secret: string, owner: string): SealedValue {
    const { id, key } = this.keys[0]!;
    return { sealed: encrypt(key, randomBytes(NONCE_BYTES), owner, Buffer.from(secret)), keyId: id };
  }

  open({ sealed, keyId }: SealedValue, owner: string): string {
    const key = this.keys.find(({ id }) => id === keyId)?.key;
    if (!key)
      throw new Error(`The key ${keyId} that sealed this secret is no longer in SECRETS_KEY; put it back to read it`);
    return decrypt(key, owner, sealed).toString('utf8');
  }
}

/**
 * Encrypts cursors for their account. They contain transaction ids, which are shared by all accounts and would show how
 * busy the others are. The nonce is derived from the content, so the same position has the same cursor.
 */
export class SealedPositions {
  private readonly keys: readonly { readonly cipher: Buffer; readonly nonce: Buffer }[];

  /** The first key seals; every configured key opens. */
  constructor(keys: readonly SealingKey[], purpose: string) {
    this.keys = keys.map(({ key }) => {
      const derived = Buffer.from(hkdfSync('sha256', key, '', purpose, 2 * KEY_BYTES));
      return { cipher: derived.subarray(0, KEY_BYTES), nonce: derived.subarray(KEY_BYTES) };
    });
  }

  seal(accountId: string, text: Buffer): string {
    const { cipher, nonce: nonceKey } = this.keys[0]!;
    const nonce = createHmac('sha256', nonceKey).update(accountId).update(text).digest().subarray(0, NONCE_BYTES);
    return encrypt(cipher, nonce, accountId, text).toString('base64url');
  }

  /** Returns null for a cursor that was not sealed here, or for another account. */
  open(accountId: string, cursor: string): Buffer | null {
    const bytes = Buffer.from(cursor, 'base64url');
    if (bytes.length < NONCE_BYTES + TAG_BYTES || bytes.toString('base64url') !== cursor) return null;
    for (const { cipher } of this.keys) {
      try {
        return decrypt(cipher, accountId, bytes);
      } catch {
        // Another key may open it.
      }
    }
    return null;
  }
}

/** Encrypts texts that have a unique id, each with its own key, so that no nonce is used twice. */
export class SealedTexts {
  private readonly keys: readonly Buffer[];

  /** The first key seals; every configured key opens. */
  constructor(keys: readonly SealingKey[], purpose: string) {
    this.keys = keys.map(({ key }) => Buffer.from(hkdfSync('sha256', key, '', purpose, KEY_BYTES)));
  }

  seal(id: string, text: string): string {
    return encrypt(keyOf(this.keys[0]!, id), Buffer.alloc(NONCE_BYTES), id, Buffer.from(text)).toString('base64');
  }

  /** Undefined for a text that was not sealed here under this id. */
  open(id: string, sealed: string): string | undefined {
    for (const key of this.keys) {
      try {
        return decrypt(keyOf(key, id), id, Buffer.from(sealed, 'base64')).toString('utf8');
      } catch {
        // Another key may open it.
      }
    }
    return undefined;
  }
}

const keyOf = (key: Buffer, id: string): Buffer => createHmac('sha256', key).update(id).digest();

function encrypt(key: Buffer, nonce: Buffer, owner: string, text: Buffer): Buffer {
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(owner));
  return Buffer.concat([nonce, cipher.update(text), cipher.final(), cipher.getAuthTag()]);
}

function decrypt(key: Buffer, owner: string, sealed: Buffer): Buffer {
  const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, NONCE_BYTES))
    .setAAD(Buffer.from(owner))
    .setAuthTag(sealed.subarray(-TAG_BYTES));
  return Buffer.concat([decipher.update(sealed.subarray(NONCE_BYTES, -TAG_BYTES)), decipher.final()]);
}

/** Signs values that clients keep. Each purpose has its own keys, so a signature for one is invalid for another. */
export class Signatures {
  private readonly keys: readonly Buffer[];

  /** The first key signs; signatures of every configured key are valid. */
  constructor(
    keys: readonly SealingKey[],
    purpose: string,
    private readonly encode: (bytes: Buffer) => string = (bytes) => bytes.toString('base64url'),
  ) {
    this.keys = keys.map(({ key }) => Buffer.from(hkdfSync('sha256', key, '', purpose, KEY_BYTES)));
  }

  of(claim: string): string {
    return this.by(this.keys[0]!, claim);
  }

  isOf(claim: string, signature: string): boolean {
    return this.keys.some((key) => isEqual(signature, this.by(key, claim)));
  }

  private by(key: Buffer, claim: string): string {
    return this.encode(createHmac('sha256', key).update(claim).digest());
  }
}

function isEqual(one: string, other: string): boolean {
  const [first, second] = [Buffer.from(one), Buffer.from(other)];
  return first.length === second.length && timingSafeEqual(first, second);
}
