import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const LIBRARIES = join(import.meta.dirname, '../..');
const MIGRATION = /^[\w-]+\/src\/migrations\/\d+-[\w-]+\.[jt]s$/;

/**
 * Modules of the migrations of all libraries. A bundle has no folders, so `apps/launcher/bootstrap/bundle.mjs` replaces
 * this file.
 */
export const MIGRATION_FILES = await importAll();

/** One import at a time: Vite evaluates a module twice when it is first requested by its path and by its URL at once. */
async function importAll(): Promise<Record<string, unknown>[]> {
  const files = readdirSync(LIBRARIES, { recursive: true, encoding: 'utf8' }).filter((file) => MIGRATION.test(file));
  const modules: Record<string, unknown>[] = [];
  for (const file of files.toSorted())
    modules.push((await import(pathToFileURL(join(LIBRARIES, file)).href)) as Record<string, unknown>);
  return modules;
}
