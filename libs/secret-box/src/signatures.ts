import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';
import type { SealingKey } from '#libs/settings';

const KEY_BYTES = 32;

/** Signs what others keep for us. Each purpose has keys of its own, so that what is signed for one is worth nothing in another. */
export class Signatures {
  private readonly keys: readonly Buffer[];

  /** The first key signs. Signatures of every configured key are accepted. */
  constructor(
    keys: readonly SealingKey[],
    purpose: string,
    private readonly written: (bytes: Buffer) => string = (bytes) => bytes.toString('base64url'),
  ) {
    this.keys = keys.map(({ key }) => Buffer.from(hkdfSync('sha256', key, '', purpose, KEY_BYTES)));
  }

  of(claim: string): string {
    return this.by(this.keys[0]!, claim);
  }

  isOf(claim: string, shown: string): boolean {
    return this.keys.some((key) => same(shown, this.by(key, claim)));
  }

  private by(key: Buffer, claim: string): string {
    return this.written(createHmac('sha256', key).update(claim).digest());
  }
}

function same(one: string, other: string): boolean {
  const [first, second] = [Buffer.from(one), Buffer.from(other)];
  return first.length === second.length && timingSafeEqual(first, second);
}
