/** TypeORM's `query()` would parse and plan each time. */
export type Statement = { readonly name: string; readonly text: string };

export type Prepared = Statement & { readonly values: unknown[] };

export const BEGIN: Prepared = { name: 'tx_begin', text: 'begin', values: [] };
export const COMMIT: Prepared = { name: 'tx_commit', text: 'commit', values: [] };

/** The connection adds the account as first parameter. */
export type AccountStatement = Statement & { readonly scope: 'account' };

export type SystemStatement = Statement & { readonly scope: 'system' };

const defined = new Map<string, Statement>();

export const definedStatements = (): Statement[] => [...defined.values()];

export function accountStatement(name: string, text: string): AccountStatement {
  if (!/\b(account_id|accounts)\b/.test(text) || !/\$1\b/.test(text))
    throw new Error(`Statement ${name} must bind account_id to $1: no query leaves its account`);
  return define({ name, text, scope: 'account' });
}

/** PostgreSQL plans it for its values each time. */
export function accountQuery(text: string): AccountStatement {
  if (!/\baccount_id = \$1\b/.test(text)) throw new Error(`This query must bind account_id to $1: ${text}`);
  return { name: '', text, scope: 'account' };
}

export function systemStatement(name: string, reason: string, text: string): SystemStatement {
  if (reason.length < 10) throw new Error(`Statement ${name} crosses accounts and must say why`);
  return define({ name, text, scope: 'system' });
}

/** PostgreSQL would refuse a second text under one name, on some connections only. */
function define<Kind extends Statement>(statement: Kind): Kind {
  const { name } = statement;
  if (defined.has(name)) throw new Error(`Two statements are called ${name}`);
  if (name.length > 63) throw new Error(`Statement name ${name} is longer than PostgreSQL keeps`);
  defined.set(name, statement);
  return statement;
}

/** These values need no quotes, which pg would look for in each element. */
export const arrayLiteral = (values: readonly (string | number | Date | null)[]): string =>
  `{${values.map(formatElement).join(',')}}`;

/** An array for each column, for `unnest`. */
export const arraysOf = <Row extends object, Name extends keyof Row>(rows: readonly Row[], ...names: readonly Name[]) =>
  names.map((name) => rows.map((row) => row[name] ?? null));

function formatElement(value: string | number | Date | null): string | number {
  if (value === null) return 'NULL';
  return value instanceof Date ? value.toISOString() : value;
}
