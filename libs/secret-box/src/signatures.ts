import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';
import type { SealingKey } from '#libs/settings';

const KEY_BYTES = 32;

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
