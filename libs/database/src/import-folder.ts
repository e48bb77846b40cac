import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

/**
 * All modules below `folder` whose path there matches, in the order of their paths. In a bundle there are no folders, so
 * `apps/launcher/bootstrap/bundle.mjs` puts the modules in the place of `await importFolder(import.meta.dirname, /…/)`.
 */
export function importFolder(folder: string, pattern: RegExp): Promise<Record<string, unknown>[]> {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => pattern.test(file));
  const modules = files.toSorted().map((file) => import(pathToFileURL(join(folder, file)).href));
  return Promise.all(modules as Promise<Record<string, unknown>>[]);
}
