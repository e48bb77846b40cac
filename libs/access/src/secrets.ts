import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

/** Secrets of 256 random bits need no slow hash. */
export const digest = (value: string): Buffer => createHash('sha256').update(value).digest();

export const sameDigest = (one: Buffer, other: Buffer): boolean =>
  one.length === other.length && timingSafeEqual(one, other);

/** 256 bits, safe in headers, forms and URLs. */
export const randomToken = (): string => randomBytes(32).toString('base64url');

/** 256 bits in hexadecimal, for secrets that people copy by hand and clients encode differently. */
export const randomSecret = (): string => randomBytes(32).toString('hex');
