import type { Pool } from 'pg';
import type { DataSource, QueryRunner } from 'typeorm';

/* Undocumented parts of TypeORM that this library uses. typeorm-internals.spec.ts checks the installed version. */

/** https://github.com/typeorm/typeorm/blob/master/src/driver/postgres/PostgresDriver.ts */
export const poolOf = ({ driver }: DataSource): Pool => (driver as unknown as { readonly master: Pool }).master;

/**
 * Joins a query runner to a transaction begun without it; `before` runs ahead of each query.
 * https://github.com/typeorm/typeorm/blob/master/src/query-runner/BaseQueryRunner.ts
 */
export function joinTransaction(runner: QueryRunner, before: () => Promise<void>): void {
  const query = runner.query.bind(runner) as (...values: unknown[]) => Promise<unknown>;
  const queryAfter = async (...values: unknown[]): Promise<unknown> => {
    await before();
    return query(...values);
  };
  Object.assign(runner, { isTransactionActive: true, query: queryAfter });
}
