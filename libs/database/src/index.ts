export type { MigrationInterface, QueryRunner } from 'typeorm';
export { arrayLiteral } from './array-literal.js';
export { BELL_CHANNEL, Bell } from './bell.js';
export { BellListener } from './bell-listener.js';
export { Clock, later } from './clock.js';
export { DatabaseClock } from './database-clock.js';
export { columns, columnsOf, hydrate, writtenColumns } from './columns.js';
export { AccountConnection, AccountTx, SystemConnection, SystemTx } from './connection.js';
export { connectionOptions } from './connection-options.js';
export { MIGRATIONS, createDataSource } from './data-source.js';
export { GrowingPool } from './growing-pool.js';
export { AccountDatabase, Database, type AccountScope } from './database.js';
export { DatabaseModule } from './database.module.js';
export { ResilientClient } from './resilient-client.js';
export { snakeCase } from './naming-strategy.js';
export { isTransientError } from './transient-error.js';
export { DATABASE_IS_UNMIGRATED, DatabaseUnusable, POSTGRESQL, describeDatabaseOutage } from './outages.js';
export { byKey, filter, rangeOf, rowById, rowByKey, rowByKeyOrId } from './planning.js';
export {
  hasPendingMigrations,
  MigrationRefused,
  migrationsOfNewerVersion,
  revertMigrations,
  runMigrations,
  tellNewer,
  withMigrationSource,
} from './migrate.js';
export { AccountRepository, AccountTxRepository, type Repository } from './repository.js';
export { type SessionSettings, startupOptions } from './session-settings.js';
export { StatementBatch } from './statement-batch.js';
export {
  type AccountStatement,
  type Statement,
  type SystemStatement,
  accountQuery,
  accountStatement,
  definedStatements,
  systemStatement,
} from './statements.js';
export { Transactions } from './transactions.js';
export { MAX_UUID, NIL_UUID, isUuid, timeOfUuid, uuidAt } from './uuid.js';
export { importFolder } from './import-folder.js';
