import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

/**
 * A bundle has no folders, so `apps/launcher/bootstrap/bundle.mjs` replaces the calls `await
 * importFolder(import.meta.dirname, /…/)` and `await importFolder(join(import.meta.dirname, '…'), /…/)` by imports.
 */
export function importFolder(folder: string, pattern: RegExp): Promise<Record<string, unknown>[]> {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => pattern.test(file));
  const modules = files.toSorted().map((file) => import(pathToFileURL(join(folder, file)).href));
  return Promise.all(modules as Promise<Record<string, unknown>>[]);
}
