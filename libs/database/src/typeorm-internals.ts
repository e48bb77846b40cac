import type { Pool } from 'pg';
import type { DataSource, QueryRunner } from 'typeorm';

/*
 * Everything that this library uses of TypeORM without its documentation saying so. typeorm-internals.spec.ts checks it
 * against the installed version.
 */

/**
 * The pool of a data source.
 * https://github.com/typeorm/typeorm/blob/master/src/driver/postgres/PostgresDriver.ts
 */
export const poolOf = ({ driver }: DataSource): Pool => (driver as unknown as { readonly master: Pool }).master;

/**
 * Makes a query runner part of a transaction that was begun without it: it begins none of its own, and calls `before`
 * ahead of each query.
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
