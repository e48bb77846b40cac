import { existsSync } from 'node:fs';
import { loadEnvFile } from 'node:process';
import { join } from 'node:path';
import { UserFacingError, say } from './say.mjs';

/** Reads `.env`. The environment takes precedence. */
export function readEnvFile(root) {
  const file = join(root, '.env');
  if (!existsSync(file)) return;
  const before = new Set(Object.keys(process.env));
  try {
    loadEnvFile(file);
  } catch (error) {
    throw new UserFacingError(`.env could not be read (${error.code}): make it readable for you, or remove it.`);
  }
  const names = Object.keys(process.env)
    .filter((name) => !before.has(name))
    .sort();
  if (names.length > 0) say(`settings of .env: ${names.join(', ')}`);
}
