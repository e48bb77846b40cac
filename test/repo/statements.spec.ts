import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type TestDatabase, createDatabase } from '../support/database.js';
import { loadStatements } from '../support/statement-sources.js';

describe('the statements that are prepared by name', () => {
  let database: TestDatabase;
  let sql: Client;

  beforeAll(async () => {
    database = await createDatabase();
    sql = new Client({ connectionString: database.url });
    await sql.connect();
  });
  afterAll(async () => {
    await sql.end();
    await database.drop();
  });

  it('are all understood by PostgreSQL', async () => {
    const statements = await loadStatements();
    const refused: string[] = [];
    for (const { name, text } of statements)
      await sql
        .query(`prepare "${name}" as ${text}`)
        .catch((error: Error) => refused.push(`${name}: ${error.message}`));

    expect(statements.length).toBeGreaterThan(150);
    expect(refused).toEqual([]);
  });
});
