import type { FuzzedProduct } from './fuzzed-product.js';

const QUIET_LEVELS = new Set(['debug', 'info', 'warn']);

/** What the processes said since the last time that they must never say: an error, or anything that is no log line. */
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
