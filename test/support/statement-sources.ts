import { readFileSync, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';

const STATEMENT = /\b(account|system)Statement\(/;

/** Loads every file that defines statements, so that `definedStatements` knows them all. */
export async function loadStatements(): Promise<void> {
  const sources = ['apps', 'libs']
    .flatMap((folder) => readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((file) => join(folder, file)))
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.spec.ts'))
    .filter((file) => STATEMENT.test(readFileSync(file, 'utf8')));
  for (const file of sources) await import(resolve(file));
}
