import { startupOptions } from '#libs/database';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PLANNING } from '../../apps/api/src/planning.js';
import { type TestDatabase, createDatabase } from '../support/database.js';
import { loadStatements } from '../support/statement-sources.js';

interface Step {
  readonly 'Relation Name'?: string;
  readonly 'Index Cond'?: string;
  readonly 'Recheck Cond'?: string;
  readonly Filter?: string;
  readonly Plans?: readonly Step[];
}

const UNIQUE_INDEXES = `
  select c.relname as table, array_agg(a.attname::text) as columns
  from pg_index i join pg_class c on c.oid = i.indrelid
    join pg_attribute a on a.attrelid = c.oid and a.attnum = any(i.indkey)
  where i.indisunique and i.indpred is null and i.indexprs is null and c.relnamespace = 'public'::regnamespace
  group by i.indexrelid, c.relname`;

/** Of one person or one application, of which there are a few; of an operator, who waits. */
const FEW = new Set([
  'sessions_end',
  'recovery_code_spend',
  'replay_preview',
  'operated_webhooks',
  'operated_mails_retry',
]);

const isIn = (columns: readonly string[]) => (key: readonly string[]) => key.every((name) => columns.includes(name));

const statements = await loadStatements();

describe('a statement that knows the key of a row, when nothing is known of the tables,', () => {
  let database: TestDatabase;
  let sql: Client;
  const keys = new Map<string, string[][]>();

  beforeAll(async () => {
    database = await createDatabase();
    sql = new Client({ connectionString: database.url, options: startupOptions(PLANNING) });
    await sql.connect();
    const { rows } = await sql.query<{ table: string; columns: string[] }>(UNIQUE_INDEXES);
    for (const { table, columns } of rows) keys.set(table, [...(keys.get(table) ?? []), columns]);
    // Nobody is an agent in many accounts.
    keys.get('agents')!.push(['email']);
  });
  afterAll(async () => {
    await sql.end();
    await database.drop();
  });

  async function planOf(text: string): Promise<Step> {
    // By PostgreSQL before 16, only with values.
    const { rows } = await sql.query<{ 'QUERY PLAN': [{ Plan: Step }] }>(`explain (generic_plan, format json) ${text}`);
    return rows[0]!['QUERY PLAN'][0].Plan;
  }

  /** The row is looked for among others, although its key is known. */
  function looksAround(step: Step): boolean {
    const found = comparedIn(step['Index Cond'] ?? step['Recheck Cond']);
    const known = [...found, ...comparedIn(step.Filter)];
    const ofTable = keys.get(step['Relation Name'] ?? '') ?? [];
    return ofTable.some(isIn(known)) && !ofTable.some(isIn(found));
  }

  const stepsOf = (step: Step): Step[] => [step, ...(step.Plans ?? []).flatMap((below) => stepsOf(below))];

  it('finds it by that key', async () => {
    const looking: string[] = [];
    for (const statement of statements) {
      const steps = stepsOf(await planOf(statement.text)).filter((step) => looksAround(step));
      for (const step of steps) looking.push(`${statement.name}: ${step['Relation Name']} by ${step['Index Cond']}`);
    }

    expect(looking.filter((line) => !FEW.has(line.split(':')[0]!))).toEqual([]);
  });
});

/** The columns that a condition holds to one value, or to one from there on. */
const comparedIn = (condition = ''): string[] =>
  [...condition.matchAll(/\((?:\w+\.)?(\w+) (?:=|>=) (?!ANY)/g)].map(([, name]) => name!);
