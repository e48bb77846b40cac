import { readFileSync, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { type Statement, definedStatements } from '#libs/database';

const STATEMENT = /\b(account|system)Statement\(/;

/** All statements of the product. Earlier tests in this process may have defined others, which are called `test_…`. */
export async function loadStatements(): Promise<Statement[]> {
  const sources = ['apps', 'libs']
    .flatMap((folder) => readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((file) => join(folder, file)))
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.spec.ts'))
    .filter((file) => STATEMENT.test(readFileSync(file, 'utf8')));
  for (const file of sources) await import(resolve(file));
  return definedStatements().filter(({ name }) => !name.startsWith('test_'));
}
