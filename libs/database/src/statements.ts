/** A statement prepared once per connection under its name; TypeORM's own `query()` would be planned each time. */
export interface Statement {
  readonly name: string;
  readonly text: string;
}

/** One with its values. */
export interface Prepared extends Statement {
  readonly values: unknown[];
}

/** Runs for one account: its first parameter is that account's id, put there by the connection, not by the caller. */
export interface AccountStatement extends Statement {
  readonly scope: 'account';
}

/** Runs over all accounts. There are few, and each says why it may. */
export interface SystemStatement extends Statement {
  readonly scope: 'system';
}

const defined = new Map<string, Statement>();

/** All that were defined by what has been loaded so far. */
export function definedStatements(): Statement[] {
  return [...defined.values()];
}

export function accountStatement(name: string, text: string): AccountStatement {
  if (!/\b(account_id|accounts)\b/.test(text) || !/\$1\b/.test(text))
    throw new Error(`Statement ${name} must bind account_id to $1: no query leaves its account`);
  return define({ name, text, scope: 'account' });
}

/** For a text that is put together for one question: planned for its values each time, and kept under no name. */
export function accountQuery(text: string): AccountStatement {
  if (!/\baccount_id = \$1\b/.test(text)) throw new Error(`This query must bind account_id to $1: ${text}`);
  return { name: '', text, scope: 'account' };
}

export function systemStatement(name: string, reason: string, text: string): SystemStatement {
  if (reason.length < 10) throw new Error(`Statement ${name} crosses accounts and must say why`);
  return define({ name, text, scope: 'system' });
}

/** Two texts under one name would make PostgreSQL refuse whichever comes second, on some connections only. */
function define<Kind extends Statement>(statement: Kind): Kind {
  const { name } = statement;
  if (defined.has(name)) throw new Error(`Two statements are called ${name}`);
  if (name.length > 63) throw new Error(`Statement name ${name} is longer than PostgreSQL keeps`);
  defined.set(name, statement);
  return statement;
}
