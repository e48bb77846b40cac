import { readFileSync, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { definedStatements } from '#libs/database';
import { type TestDatabase, createDatabase } from '../support/database.js';

const sources = ['apps', 'libs']
  .flatMap((folder) => readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((file) => join(folder, file)))
  .filter((file) => file.endsWith('.ts') && !file.endsWith('.spec.ts'))
  .filter((file) => /\b(account|system)Statement\(/.test(readFileSync(file, 'utf8')));

describe('the statements that are prepared by name', () => {
  let database: TestDatabase;
  let sql: Client;

  beforeAll(async () => {
    database = await createDatabase();
    sql = new Client({ connectionString: database.url });
    await sql.connect();
    for (const file of sources) await import(resolve(file));
  });
  afterAll(async () => {
    await sql.end();
    await database.drop();
  });

  it('are all understood by PostgreSQL', async () => {
    const refused: string[] = [];
    for (const { name, text } of definedStatements())
      await sql
        .query(`prepare "${name}" as ${text}`)
        .catch((error: Error) => refused.push(`${name}: ${error.message}`));

    expect(definedStatements().length).toBeGreaterThan(150);
    expect(refused).toEqual([]);
  });
});
