export { BELL_CHANNEL, Bell } from './bell.js';
export { BellListener } from './bell-listener.js';
export { Clock } from './clock.js';
export { columns, hydrate } from './columns.js';
export { AccountConnection, AccountTable, AccountTx, SystemConnection } from './connection.js';
export { createDataSource } from './data-source.js';
export { AccountDatabase, Database } from './database.js';
export { DatabaseModule } from './database.module.js';
export { EnduringClient } from './enduring-client.js';
export { snakeCase } from './naming.js';
export { MIGRATIONS } from './migrations/index.js';
export { isPassing } from './passing.js';
export { pendingMigrations, runMigrations, undoMigrations } from './migrate.js';
export {
  type AccountStatement,
  type SystemStatement,
  accountQuery,
  accountStatement,
  definedStatements,
  systemStatement,
} from './statements.js';
export { isUuid, uuidAt } from './uuid.js';
