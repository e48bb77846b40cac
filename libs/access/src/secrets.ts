import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

/** Secrets of 256 random bits need no slow hash. */
export const digest = (value: string): Buffer => createHash('sha256').update(value).digest();

export const sameDigest = (one: Buffer, other: Buffer): boolean =>
  one.length === other.length && timingSafeEqual(one, other);

export const randomToken = (): string => randomBytes(32).toString('base64url');

/** Hexadecimal, because people copy these by hand. */
export const randomSecret = (): string => randomBytes(32).toString('hex');
