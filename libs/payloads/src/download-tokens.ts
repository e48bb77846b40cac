import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';

/**
 * A token is valid for one to two windows and changes only at the end of a window, so a record keeps its ETag within
 * one.
 */
const WINDOW_SECONDS = 15 * 60;

const PURPOSE = 'deskwire attachment downloads';
const KEY_BYTES = 32;
const EXPIRY_BYTES = 4;
const ACCOUNT_BYTES = 16;

type DownloadTokenCheck =
  | { readonly kind: 'valid'; readonly accountId: string; readonly secondsLeft: number }
  | { readonly kind: 'expired' }
  | { readonly kind: 'forged' };

/** A signed token that opens one file of one account until it expires. */
export class DownloadTokens {
  private readonly keys: readonly Buffer[];

  /** The first key signs. Signatures of all keys are accepted. */
  constructor(
    secretsKeys: readonly { readonly key: Buffer }[],
    private readonly clock: { now(): Date },
  ) {
    this.keys = secretsKeys.map(({ key }) => Buffer.from(hkdfSync('sha256', key, '', PURPOSE, KEY_BYTES)));
  }

  issue({ id, accountId }: { readonly id: string; readonly accountId: string }): string {
    const window = Math.floor(this.seconds() / WINDOW_SECONDS);
    const claim = Buffer.alloc(EXPIRY_BYTES + ACCOUNT_BYTES);
    claim.writeUInt32BE((window + 2) * WINDOW_SECONDS);
    uuidBytes(accountId).copy(claim, EXPIRY_BYTES);
    return Buffer.concat([claim, signatureOf(this.keys[0]!, claim, id)]).toString('base64url');
  }

  verify(pass: string, id: string): DownloadTokenCheck {
    const bytes = Buffer.from(pass, 'base64url');
    const claim = bytes.subarray(0, EXPIRY_BYTES + ACCOUNT_BYTES);
    const signature = bytes.subarray(claim.length);
    const believed = this.keys.some((key) => same(signature, signatureOf(key, claim, id)));
    if (!believed || bytes.toString('base64url') !== pass) return { kind: 'forged' };
    const secondsLeft = claim.readUInt32BE() - this.seconds();
    return secondsLeft > 0 ? { kind: 'valid', accountId: uuidText(claim), secondsLeft } : { kind: 'expired' };
  }

  private seconds(): number {
    return Math.floor(this.clock.now().getTime() / 1000);
  }
}

const signatureOf = (key: Buffer, claim: Buffer, id: string): Buffer =>
  createHmac('sha256', key).update(claim).update(id.toLowerCase()).digest();

const same = (one: Buffer, other: Buffer): boolean => one.length === other.length && timingSafeEqual(one, other);

const uuidBytes = (uuid: string): Buffer => Buffer.from(uuid.replaceAll('-', ''), 'hex');

const uuidText = (claim: Buffer): string =>
  claim.toString('hex', EXPIRY_BYTES).replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
