import { startupOptions } from '#libs/database';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PLANNING } from '../../apps/worker/src/planning.js';
import { type TestDatabase, createDatabase } from '../support/database.js';
import { loadStatements } from '../support/statement-sources.js';
import { type Cost, executeText, explainPrepared } from './explained.js';
import { BELIEFS, ROWS, fillBusyTables, preparePipeline } from './pipeline-rows.js';
import { OTHERS, WORKER_CASES } from './worker-cases.js';

/** How many rows a step may look at for each that the statement is asked for, and how many for a few. */
const ROWS_FOR_ONE = 4;
const FEW = 10;
/** Of tables and indexes, for reading a row by its key, writing it, and its place in every index. */
const PAGES_FOR_ONE = 60;

const statements = await loadStatements();

describe('the statements of all accounts', () => {
  it('are each known to be of the worker, or of somebody else', () => {
    const systemWide = statements.filter((statement) => 'scope' in statement && statement.scope === 'system');

    expect(systemWide.map(({ name }) => name).filter((name) => !(name in WORKER_CASES || OTHERS.has(name)))).toEqual(
      [],
    );
  });
});

for (const [belief, gather] of Object.entries(BELIEFS))
  describe(`a statement of the worker, when PostgreSQL believes ${belief},`, () => {
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
      ['planned before the rows came', 1],
      ['planned when they were there', 2],
    ])('%s, looks at few rows for each that it is asked for', async (_, session) => {
      const sql = sessions[session]!;
      const dear: string[] = [];
      for (const [name, { values, asked }] of Object.entries(WORKER_CASES)) {
        const cost = await explainPrepared(sql, executeText(sql, name, values));
        if (!cost || isDear(cost, asked)) dear.push(`${name}, asked for ${asked}: ${JSON.stringify(cost)}`);
      }
      expect(dear).toEqual([]);
    });
  });

function isDear({ rows, pages }: Cost, asked: number): boolean {
  const many = Math.max(asked, FEW);
  return rows > many * ROWS_FOR_ONE || pages > many * PAGES_FOR_ONE;
}
