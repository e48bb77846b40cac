import { StatementBatch } from '#libs/database';
import { Client } from 'pg';

export interface RecordedStatement {
  readonly name?: string;
  readonly text: string;
  readonly values: readonly unknown[];
}

type Query = (config: unknown, ...rest: unknown[]) => unknown;

/** Records the statements that the product runs during `work`, so that the baseline runs exactly the same. */
export async function recordStatements(work: () => Promise<unknown>): Promise<RecordedStatement[]> {
  const recorded: RecordedStatement[] = [];
  const prototype = Client.prototype as unknown as { query: Query };
  const { query } = prototype;
  prototype.query = function record(this: unknown, config: unknown, ...rest: unknown[]) {
    if (typeof config === 'string')
      recorded.push({ text: config, values: (Array.isArray(rest[0]) ? rest[0] : []) as unknown[] });
    else if (config instanceof StatementBatch) recorded.push(...config.statements.map((one) => recordedOf(one)));
    else if (isPrepared(config)) recorded.push(recordedOf(config));
    return query.call(this, config, ...rest);
  };
  try {
    await work();
  } finally {
    prototype.query = query;
  }
  return recorded;
}

const recordedOf = ({ name, text, values }: { name: string; text: string; values: unknown[] }): RecordedStatement => ({
  name,
  text,
  values,
});

function isPrepared(config: unknown): config is { name: string; text: string; values: unknown[] } {
  return typeof config === 'object' && config !== null && 'text' in config && 'name' in config;
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-7/;

/** Replaces each id created during the recording by a new one, consistently. */
export function withFreshIds(values: readonly unknown[], fresh: (id: string) => string, since: number): unknown[] {
  return values.map((value) => {
    if (Array.isArray(value)) return withFreshIds(value, fresh, since);
    if (typeof value !== 'string' || !UUID.test(value)) return value;
    return Number.parseInt(value.slice(0, 8) + value.slice(9, 13), 16) >= since ? fresh(value) : value;
  });
}
