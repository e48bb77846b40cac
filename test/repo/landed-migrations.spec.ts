import { createHash } from 'node:crypto';
import { readFileSync, readdirSync } from 'node:fs';
import { expect, it } from 'vitest';

const FOLDER = 'libs/database/src/migrations';
const LIST = 'test/repo/landed-migrations.json';

/** Of what the file does: its format may change. */
const checksumOf = (file: string): string =>
  createHash('sha256')
    .update(readFileSync(`${FOLDER}/${file}`, 'utf8').replaceAll(/\s/g, ''))
    .digest('hex')
    .slice(0, 16);

it(`a migration that has landed stays as it is, and a new one gets its line in ${LIST}`, () => {
  const files = readdirSync(FOLDER).filter((file) => file.endsWith('.ts'));

  expect(Object.fromEntries(files.toSorted().map((file) => [file, checksumOf(file)]))).toEqual(
    JSON.parse(readFileSync(LIST, 'utf8')),
  );
});
