import type { FuzzedProduct } from './fuzzed-product.js';

const QUIET_LEVELS = new Set(['debug', 'info', 'warn']);

/** Output of the processes since the last call that must never occur: errors, and lines that are no log entry. */
export function faultsInLogs({ processes }: FuzzedProduct): string[] {
  return Object.entries(processes).flatMap(([name, process]) =>
    process.takeLog().flatMap((line) => {
      const said = errorIn(line);
      return said === undefined ? [] : [`the log of ${name} has an error: ${said.slice(0, 2000)}`];
    }),
  );
}

function errorIn(line: string): string | undefined {
  try {
    const { level, msg, err } = JSON.parse(line) as { level?: string; msg?: string; err?: { stack?: string } };
    return QUIET_LEVELS.has(level ?? '') ? undefined : `${msg ?? ''} ${err?.stack ?? line}`;
  } catch {
    return line;
  }
}
