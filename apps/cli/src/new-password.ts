import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { type Output, type Row, asFields } from './output.js';

export interface PasswordOptions {
  readonly passwordStdin?: boolean;
}

/** 120 bits, and short enough to be typed once. */
export const randomPassword = (): string => randomBytes(15).toString('base64url');

/** From the standard input, so that a password stands neither in the shell's history nor in the process list. */
export function newPassword({ passwordStdin }: PasswordOptions): string {
  return passwordStdin ? readFileSync(0, 'utf8').replace(/\r?\n$/, '') : randomPassword();
}

/** Shows a password only if it was made here. */
export function asFieldsWithPassword(row: Row, password: string, { passwordStdin }: PasswordOptions): Output {
  return passwordStdin ? asFields(row) : asFields({ ...row, password }, 'The password is shown only now.');
}
