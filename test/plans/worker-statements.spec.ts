// @module-tag long
import { startupOptions } from '#libs/database';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PLANNING } from '../../apps/worker/src/worker.module.js';
import { type TestDatabase, createDatabase } from '#test/support/database.js';
import { loadStatements } from '#test/support/statement-sources.js';
import { type Cost, executeText, explainPrepared } from './explained.js';
import { STATISTICS, ROWS, fillBusyTables, preparePipeline } from './pipeline-rows.js';
import { OTHERS, WORKER_CASES } from './worker-cases.js';

/** Rows that a step may read per requested row, and in addition. */
const ROWS_FOR_ONE = 4;
const FEW = 10;
/** Pages to read a row by its key, write it and update each index. */
const PAGES_FOR_ONE = 60;

const statements = await loadStatements();

describe('the list of statements', () => {
  it('covers every statement for all accounts', () => {
    const systemWide = statements.filter((statement) => 'scope' in statement && statement.scope === 'system');

    expect(systemWide.map(({ name }) => name).filter((name) => !(name in WORKER_CASES || OTHERS.has(name)))).toEqual(
      [],
    );
  });
});

for (const [statistics, gather] of Object.entries(STATISTICS))
  describe(`a statement of the worker ${statistics}`, () => {
    let database: TestDatabase;
    const sessions: Client[] = [];

    beforeAll(async () => {
      database = await createDatabase();
      const sql = await open('');
      await preparePipeline(sql);
      await gather(sql);
      const earlier = await prepared();
      for (const [name, { values }] of Object.entries(WORKER_CASES))
        await earlier.query(`explain ${executeText(earlier, name, values)}`);
      await fillBusyTables(sql, ROWS);
      await prepared();
    });
    afterAll(async () => {
      for (const session of sessions) await session.end();
      await database.drop();
    });

    async function open(options: string): Promise<Client> {
      const session = new Client({ connectionString: database.url, options });
      sessions.push(session);
      await session.connect();
      return session;
    }

    async function prepared(): Promise<Client> {
      const session = await open(startupOptions(PLANNING));
      for (const { name, text } of statements)
        if (name in WORKER_CASES) await session.query(`prepare "${name}" as ${text}`);
      return session;
    }

    it.each([
      ['before the rows exist', 1],
      ['after the rows exist', 2],
    ])('reads few rows per requested row when it is planned %s', async (_, session) => {
      const sql = sessions[session]!;
      const expensive: string[] = [];
      for (const [name, { values, asked }] of Object.entries(WORKER_CASES)) {
        const cost = await explainPrepared(sql, executeText(sql, name, values));
        if (!cost || isExpensive(cost, asked)) expensive.push(`${name}, asked for ${asked}: ${JSON.stringify(cost)}`);
      }
      expect(expensive).toEqual([]);
    });
  });

function isExpensive({ rows, pages }: Cost, asked: number): boolean {
  const many = Math.max(asked, FEW);
  return rows > many * ROWS_FOR_ONE || pages > many * PAGES_FOR_ONE;
}
