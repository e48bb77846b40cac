import { startupOptions } from '#libs/database';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PLANNING } from '../../apps/api/src/api.module.js';
import { type TestDatabase, createDatabase } from '#test/support/database.js';
import { loadStatements } from '#test/support/statement-sources.js';
import { type Step, planIn, stepsOf } from './explained.js';

const INDEXES = `
  select c.relname as table, x.relname as index, i.indisunique and i.indpred is null and i.indexprs is null as "isKey",
    array_agg(coalesce(a.attname::text, '') order by k.place) as columns
  from pg_index i join pg_class c on c.oid = i.indrelid join pg_class x on x.oid = i.indexrelid
    cross join lateral unnest(i.indkey) with ordinality as k (attribute, place)
    left join pg_attribute a on a.attrelid = c.oid and a.attnum = k.attribute
  where c.relnamespace = 'public'::regnamespace
  group by i.indexrelid, i.indisunique, i.indpred, i.indexprs, c.relname, x.relname`;

/** With these rows PostgreSQL expects two per ticket, and then sorting costs as much as reading in order. */
const CHILDREN = 'select new_uuid_at(now()), gen_random_uuid(), gen_random_uuid()';
const MESSAGES = `
  insert into messages (id, account_id, ticket_id, note, body, plain_text_body, created_at, updated_at)
  ${CHILDREN}, false, 'Hello', 'Hello', now(), now() from generate_series(1, 1000)`;
const ACTIVITIES = `
  insert into activities (id, account_id, ticket_id, kind, subject, created_at)
  ${CHILDREN}, 'ticket_closed', '', now() from generate_series(1, 1000)`;

const DRAFTS = `
  insert into drafts (id, account_id, agent_id, ticket_id, note, body, after_sending, revision, writer, updated_at)
  ${CHILDREN}, gen_random_uuid(), false, 'Hello', '', 1, '', now() from generate_series(1, 1000)`;

interface Index {
  readonly table: string;
  readonly index: string;
  readonly isKey: boolean;
  readonly columns: string[];
}

/** Statements that read few rows of one person, application or account, or that only an operator runs. */
const FEW = new Set([
  'consent_grant',
  'sessions_end',
  'recovery_code_spend',
  'replay_preview',
  'webhook_lock_of_key',
  'webhooks_find_searched',
  'operator_webhooks_list',
  'operator_mails_retry',
]);

const isIn = (columns: readonly string[]) => (key: readonly string[]) => key.every((name) => columns.includes(name));

const statements = await loadStatements();

describe('a statement with the key of a row, planned without statistics', () => {
  let database: TestDatabase;
  let sql: Client;
  const keys = new Map<string, string[][]>();
  const indexesOf = new Map<string, string[][]>();
  const columnsOf = new Map<string, string[]>();

  beforeAll(async () => {
    database = await createDatabase();
    sql = new Client({ connectionString: database.url, options: startupOptions(PLANNING) });
    await sql.connect();
    await sql.query("set session_replication_role = 'replica'");
    for (const fill of [MESSAGES, ACTIVITIES, DRAFTS]) await sql.query(fill);
    const { rows } = await sql.query<Index>(INDEXES);
    for (const { table, index, isKey, columns } of rows) {
      columnsOf.set(index, columns);
      indexesOf.set(table, [...(indexesOf.get(table) ?? []), columns]);
      if (isKey) keys.set(table, [...(keys.get(table) ?? []), columns]);
    }
    // An address belongs to few agents.
    keys.get('agents')!.push(['email']);
  });
  afterAll(async () => {
    await sql.end();
    await database.drop();
  });

  // Before version 16, PostgreSQL needs values for it.
  const planOf = (text: string): Promise<Step> => planIn(sql, `explain (generic_plan, format json) ${text}`);

  /** Steps that search for the row among others although its key is known. */
  function looksAround(step: Step): boolean {
    const compared = comparedIn(step['Index Cond'] ?? step['Recheck Cond']);
    const found = withoutGaps(compared, columnsOf.get(step['Index Name'] ?? ''));
    const known = [...compared, ...comparedIn(step.Filter)];
    const ofTable = keys.get(step['Relation Name'] ?? '') ?? [];
    return ofTable.some(isIn(known)) && !ofTable.some(isIn(found));
  }

  /** Steps that read and sort all rows although an index has them in order and the statement has a limit. */
  function sortsInVain(step: Step): boolean {
    const [sort] = step.Plans ?? [];
    const [scan] = sort?.Plans ?? [];
    if (step['Node Type'] !== 'Limit' || sort?.['Node Type'] !== 'Sort' || !scan) return false;
    const found = new Set(comparedIn(scan['Index Cond'] ?? scan['Recheck Cond']));
    const sorted = sort['Sort Key']!.map((key) => /(\w+)(?: DESC)?$/.exec(key)?.[1] ?? key);
    return (indexesOf.get(scan['Relation Name'] ?? '') ?? []).some((columns) => {
      const first = columns.findIndex((column) => !found.has(column));
      return first > 0 && sorted.every((column, place) => columns[first + place] === column);
    });
  }

  it('finds the row by its key', async () => {
    const looking: string[] = [];
    for (const statement of statements) {
      const steps = stepsOf(await planOf(statement.text)).filter((step) => looksAround(step));
      for (const step of steps) looking.push(`${statement.name}: ${step['Relation Name']} by ${step['Index Cond']}`);
    }

    expect(looking.filter((line) => !FEW.has(line.split(':')[0]!))).toEqual([]);
  });

  it('stops at the newest rows if an index has them in order', async () => {
    const sorting: string[] = [];
    for (const statement of statements)
      if (stepsOf(await planOf(statement.text)).some((step) => sortsInVain(step))) sorting.push(statement.name);

    expect(sorting).toEqual([]);
  });
});

/** If a column of an index is not compared, the columns after it do not narrow the search. */
function withoutGaps(compared: readonly string[], columns: readonly string[] | undefined): readonly string[] {
  const gap = columns?.findIndex((column) => !compared.includes(column)) ?? -1;
  return gap < 0 ? compared : columns!.slice(0, gap);
}

/** The columns that a condition compares with one value or a lower bound. */
const comparedIn = (condition = ''): string[] =>
  [...condition.matchAll(/\((?:\w+\.)?(\w+) (?:=|>=) (?!ANY)/g)].map(([, name]) => name!);
