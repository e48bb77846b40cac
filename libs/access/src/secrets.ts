import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

/** What is random and 256 bits long needs no slow hash: there is no guessing it, only stealing it. */
export const digest = (value: string): Buffer => createHash('sha256').update(value).digest();

export const sameDigest = (one: Buffer, other: Buffer): boolean =>
  one.length === other.length && timingSafeEqual(one, other);

/** 256 bits, in letters that stand unescaped in a header, a form and an address. */
export const randomToken = (): string => randomBytes(32).toString('base64url');

/** 256 bits in hexadecimal, for what people copy by hand and clients encode in different ways. */
export const randomSecret = (): string => randomBytes(32).toString('hex');
