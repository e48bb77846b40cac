export type { MigrationInterface, QueryRunner } from 'typeorm';
export { Bell } from './bell.js';
export { BELL_CHANNEL, RELAY_CHANNEL, parsePayload } from './bell.statements.js';
export { BellListener } from './bell-listener.js';
export { Clock, DatabaseClock, MAX_SKEW_MS, later, logSkew } from './clock.js';
export { columns, columnsOf, hydrate, snakeCase, writtenColumns } from './columns.js';
export { AccountConnection, AccountTx, type Precondition, SystemConnection, SystemTx } from './connection.js';
export { type SessionSettings, connectionOptions, startupOptions } from './data-source.js';
export { MIGRATIONS, createDataSource } from './data-source.js';
export { AccountDatabase, Database, type AccountScope } from './database.js';
export { DatabaseModule } from './database.module.js';
export { ResilientClient } from './resilient-client.js';
export {
  DATABASE_IS_UNMIGRATED,
  DatabaseUnusable,
  POSTGRESQL,
  describeDatabaseOutage,
  isStatementTimeout,
  isTransientError,
} from './postgres-errors.js';
export { byKey, filter, rangeOf, rowById, rowByKey, rowByKeyOrId } from './steady-plans.js';
export {
  hasPendingMigrations,
  MigrationRefused,
  revertMigrations,
  runMigrations,
  refuseForeignData,
  withMigrationSource,
} from './migrate.js';
export { StatementBatch } from './statement-batch.js';
export {
  type AccountStatement,
  type Statement,
  type SystemStatement,
  accountQuery,
  accountStatement,
  arrayLiteral,
  arraysOf,
  definedStatements,
  systemStatement,
} from './statements.js';
export { Transactions } from './transactions.js';
export { MAX_UUID, NIL_UUID, isUuid, smallestIdAt, timeOfUuid, uuidAt } from './uuid.js';
