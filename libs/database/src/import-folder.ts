import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

/**
 * A bundle has no folders, so `apps/launcher/bootstrap/bundle.mjs` replaces the calls `await
 * importFolder(import.meta.dirname, /…/)` and `await importFolder(join(import.meta.dirname, '…'), /…/)` by imports.
 *
 * One import at a time: Vite evaluates a module twice when it is first requested by its path and by its URL at once.
 */
export async function importFolder(folder: string, pattern: RegExp): Promise<Record<string, unknown>[]> {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => pattern.test(file));
  const modules: Record<string, unknown>[] = [];
  for (const file of files.toSorted())
    modules.push((await import(pathToFileURL(join(folder, file)).href)) as Record<string, unknown>);
  return modules;
}
