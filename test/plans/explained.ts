import type { Client } from 'pg';

/** A step in the output of `explain`; the numbers only after `analyze`. */
export interface Step {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'CTE Name'?: string;
  readonly 'Index Name'?: string;
  readonly 'Index Cond'?: string;
  readonly 'Recheck Cond'?: string;
  readonly Filter?: string;
  readonly 'Sort Key'?: readonly string[];
  readonly 'Actual Rows': number;
  readonly 'Actual Loops': number;
  readonly 'Shared Hit Blocks': number;
  readonly 'Shared Read Blocks': number;
  readonly Plans?: readonly Step[];
}

/** Autovacuum would renew the statistics in the middle of a test. */
export async function holdStatistics(sql: Client): Promise<void> {
  const { rows } = await sql.query<{ name: string }>(
    "select relname as name from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace",
  );
  for (const { name } of rows) await sql.query(`alter table ${name} set (autovacuum_enabled = false)`);
}

/** Counters of the rows that a step read and discarded. */
const REMOVED = ['Rows Removed by Filter', 'Rows Removed by Join Filter', 'Rows Removed by Index Recheck'];

/** A thousand times what the slowest statement takes. */
const ENDLESS_MS = 5_000;
const QUERY_CANCELED = '57014';

export interface Cost {
  /** Rows that the most expensive step read. */
  readonly rows: number;
  readonly pages: number;
  /** The step, for the message of a failure. */
  readonly step: string;
}

/** Runs a prepared statement, measures what it reads, and rolls it back. Returns null if it does not end in time. */
export async function explainPrepared(sql: Client, execute: string): Promise<Cost | null> {
  await sql.query('begin');
  try {
    await sql.query(`set local statement_timeout = ${ENDLESS_MS}`);
    const explain = `explain (analyze, buffers, timing off, format json) ${execute}`;
    return costOf(await planIn(sql, explain));
  } catch (error) {
    if ((error as { code?: string }).code === QUERY_CANCELED) return null;
    throw error;
  } finally {
    await sql.query('rollback');
  }
}

export async function planIn(sql: Client, explain: string): Promise<Step> {
  const { rows } = await sql.query<{ 'QUERY PLAN': [{ Plan: Step }] }>(explain);
  return rows[0]!['QUERY PLAN'][0].Plan;
}

function costOf(plan: Step): Cost {
  const [worst] = stepsOf(plan).toSorted((a, b) => rowsOf(b) - rowsOf(a));
  const name = [worst!['Node Type'], worst!['Relation Name'] ?? worst!['CTE Name']].filter(Boolean).join(' ');
  return { rows: rowsOf(worst!), pages: plan['Shared Hit Blocks'] + plan['Shared Read Blocks'], step: name };
}

export const stepsOf = (step: Step): Step[] => [step, ...(step.Plans ?? []).flatMap((below) => stepsOf(below))];

function rowsOf(step: Step): number {
  const counts = step as unknown as Readonly<Record<string, number | undefined>>;
  const removed = REMOVED.reduce((sum, name) => sum + (counts[name] ?? 0), 0);
  return (step['Actual Rows'] + removed) * step['Actual Loops'];
}

/** `execute name(…)` takes no parameters, so the values are literals. */
export function executeText(sql: Client, name: string, values: readonly unknown[]): string {
  const list = values.length === 0 ? '' : `(${values.map((value) => literal(sql, value)).join(', ')})`;
  return `execute "${name}"${list}`;
}

function literal(sql: Client, value: unknown): string {
  if (value === null || value === undefined) return 'null';
  if (typeof value === 'number' || typeof value === 'boolean') return `${value}`;
  return sql.escapeLiteral(textOf(value));
}

function textOf(value: unknown): string {
  if (value instanceof Date) return value.toISOString();
  if (Buffer.isBuffer(value)) return `\\x${value.toString('hex')}`;
  if (Array.isArray(value))
    return `{${value.map((one) => (one === null ? 'null' : JSON.stringify(textOf(one)))).join(',')}}`;
  return typeof value === 'string' ? value : JSON.stringify(value);
}
