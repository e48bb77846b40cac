import { readFileSync, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { type Statement, definedStatements } from '#libs/database';

const STATEMENT = /\b(account|system)Statement\(/;

/** All that the product says to PostgreSQL. Tests that ran before in this process may have defined some too: those are called `test_…`. */
export async function loadStatements(): Promise<Statement[]> {
  const sources = ['apps', 'libs']
    .flatMap((folder) => readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((file) => join(folder, file)))
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.spec.ts'))
    .filter((file) => STATEMENT.test(readFileSync(file, 'utf8')));
  for (const file of sources) await import(resolve(file));
  return definedStatements().filter(({ name }) => !name.startsWith('test_'));
}
