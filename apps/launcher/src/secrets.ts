import { randomBytes } from 'node:crypto';
import fs from 'node:fs';

/** Made once, then read from its file, which only its owner can open. */
export function readOrCreateSecret(file: string, make: () => string = randomPassword): string {
  try {
    fs.writeFileSync(file, make(), { mode: 0o600, flag: 'wx' });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  return fs.readFileSync(file, 'utf8').trim();
}

function randomPassword(): string {
  return randomBytes(24).toString('base64url');
}
