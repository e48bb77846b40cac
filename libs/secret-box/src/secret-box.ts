import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import type { SealingKey } from '#libs/settings';

const NONCE_BYTES = 12;
const TAG_BYTES = 16;

export interface SealedValue {
  readonly sealed: Buffer;
  readonly keyId: string;
}

/**
 * These secrets must be read again to sign or to compare, so they are encrypted, not hashed. The newest key seals; every key
 * still configured opens. `owner` is bound to the ciphertext: a sealed secret copied to another row does not open.
 */
export class SecretBox {
  constructor(private readonly keys: readonly SealingKey[]) {
    if (keys.length === 0) throw new Error('SECRETS_KEY must name at least one key');
  }

  seal(secret: string, owner: string): SealedValue {
    const { id, key } = this.keys[0]!;
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(owner));
    const text = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()]);
    return { sealed: Buffer.concat([nonce, text, cipher.getAuthTag()]), keyId: id };
  }

  open({ sealed, keyId }: SealedValue, owner: string): string {
    const key = this.keys.find(({ id }) => id === keyId)?.key;
    if (!key)
      throw new Error(`The key ${keyId} that sealed this secret is no longer in SECRETS_KEY; put it back to read it`);
    const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, NONCE_BYTES)).setAAD(Buffer.from(owner));
    decipher.setAuthTag(sealed.subarray(-TAG_BYTES));
    return Buffer.concat([decipher.update(sealed.subarray(NONCE_BYTES, -TAG_BYTES)), decipher.final()]).toString(
      'utf8',
    );
  }
}
