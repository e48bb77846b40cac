/** What PostgreSQL says, or does not say, while it restarts, fails over, or breaks a deadlock. */
const PASSING = /^(08|57P|53|40001|40P01|55P03|25006)/;

const CHECK_VIOLATION = '23514';

/**
 * The partition for a row came into being between finding where the row goes and writing it there. Of all broken checks,
 * PostgreSQL names no constraint only for this one.
 */
export function meetsNewPartition(error: unknown): boolean {
  const { code, constraint } = error as { code?: unknown; constraint?: string };
  return code === CHECK_VIOLATION && constraint === undefined;
}

/** Whether what went wrong passes by itself, so that the same may be tried again. */
export function isTransientError(error: unknown): boolean {
  if (meetsNewPartition(error)) return true;
  const { code, message = '' } = error as { code?: unknown; message?: string };
  if (typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code)) return PASSING.test(code);
  // Without a state it is the connection that failed: refused, reset, ended in between, or not had in time.
  return typeof code === 'string' || /connection|timeout|terminated|closed|ended/i.test(message);
}
