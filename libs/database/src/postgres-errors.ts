export const POSTGRESQL = 'PostgreSQL';

const REFUSED = new Set(['28P01', '28000']);
const NO_DATABASE = '3D000';
/** No such table, column or function. */
const UNMIGRATED = new Set(['42P01', '42703', '42883']);
/** Failed connection, shutdown, start, or no connection left. */
const AWAY = /^(08|57P0|53300)/;

export const DATABASE_IS_UNMIGRATED = 'The database is not migrated: run `node dist/cli.js migrate up`';

/** Undefined unless it is an outage or a wrong setting. */
export function describeDatabaseOutage(error: unknown): string | undefined {
  const { code, message = '' } = error as { code?: unknown; message?: string };
  const reason = message || String(code);
  if (typeof code === 'string' && SQLSTATE.test(code)) {
    if (REFUSED.has(code))
      return `PostgreSQL refuses the user or password of DATABASE_URL (${reason}): correct DATABASE_URL`;
    if (code === NO_DATABASE)
      return `PostgreSQL has no database of the name in DATABASE_URL (${reason}): correct DATABASE_URL, or create it with \`createdb\` and run \`node dist/cli.js migrate up\``;
    if (UNMIGRATED.has(code)) return `${DATABASE_IS_UNMIGRATED} (${reason})`;
    return AWAY.test(code) ? away(reason) : undefined;
  }
  return isOfConnection(code, message) ? away(reason) : undefined;
}

const away = (reason: string): string =>
  `PostgreSQL does not respond at DATABASE_URL (${reason}): check that it runs and that this machine can reach it. Work continues when it responds`;

/** An operator must correct something. */
export class DatabaseUnusable extends Error {
  override readonly name = 'DatabaseUnusable';
}

/** Restart, failover, deadlock, lock timeout, or a primary that became a standby. */
const TRANSIENT = /^(08|57P|53|40001|40P01|55P03|25006)/;

const CHECK_VIOLATION = '23514';

/**
 * The row's partition was made while the row went to the default partition. For every other failed check PostgreSQL
 * names a constraint.
 */
export function meetsNewPartition(error: unknown): boolean {
  const { code, constraint } = error as { code?: unknown; constraint?: string };
  return code === CHECK_VIOLATION && constraint === undefined;
}

export function isTransientError(error: unknown): boolean {
  if (meetsNewPartition(error)) return true;
  const { code, message = '' } = error as { code?: unknown; message?: string };
  if (typeof code === 'string' && SQLSTATE.test(code)) return TRANSIENT.test(code);
  return isOfConnection(code, message);
}

const QUERY_CANCELED = '57014';

/** PostgreSQL was slow, or the statement always is, so only a caller that cannot do without it repeats it. */
export const isStatementTimeout = (error: unknown): boolean => (error as { code?: unknown }).code === QUERY_CANCELED;

const SQLSTATE = /^[0-9A-Z]{5}$/;

/** Without an SQLSTATE the connection failed. */
const isOfConnection = (code: unknown, message: string): boolean =>
  typeof code === 'string' || /connection|timeout|terminated|closed|ended/i.test(message);
