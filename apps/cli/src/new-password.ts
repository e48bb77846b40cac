import { randomBytes } from 'node:crypto';
import { readPasswordFromStdin } from './arguments.js';

/** 120 bits, and short enough to be typed once. */
export const randomPassword = (): string => randomBytes(15).toString('base64url');

export function newPassword(options: { readonly passwordStdin?: boolean }): { password: string; given: boolean } {
  return options.passwordStdin
    ? { password: readPasswordFromStdin(), given: true }
    : { password: randomPassword(), given: false };
}
