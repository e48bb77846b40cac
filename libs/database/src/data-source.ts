import * as entities from '#libs/entities';
import { importFolder } from '#libs/folder-imports';
import type { Settings } from '#libs/settings';
import { DataSource, type DataSourceOptions, type MigrationInterface, getMetadataArgsStorage } from 'typeorm';
import { ResilientClient } from './resilient-client.js';
import { PostgresNamingStrategy } from './naming-strategy.js';

type Migration = new () => MigrationInterface;

const isMigration = (value: unknown): value is Migration =>
  typeof value === 'function' &&
  [value.prototype?.up, value.prototype?.down].every((step) => typeof step === 'function');

const modules = await importFolder(import.meta.dirname, /^migrations\/\d+-[\w-]+\.[jt]s$/);

/** Every file of the folder. TypeORM runs them in the order of the times at the end of their names. */
export const MIGRATIONS = modules.flatMap((exported) => Object.values(exported)).filter((value) => isMigration(value));

/** Every class of `#libs/entities` that is a table. */
const isTable = (value: unknown): value is abstract new () => object =>
  getMetadataArgsStorage().tables.some(({ target }) => target === value);

/** No statement of the product may run longer; one that does is stuck, and would hold its locks with it. */
const STATEMENT_TIMEOUT_MS = 30_000;

type DatabaseSettings = Pick<Settings, 'DATABASE_URL' | 'DATABASE_POOL_SIZE'>;

export function createDataSource(settings: DatabaseSettings, app: string): DataSource {
  return new DataSource(dataSourceOptions(settings, app));
}

/** `plannerOptions`: how PostgreSQL is to plan for these connections, as in its `options` parameter. */
export function dataSourceOptions(settings: DatabaseSettings, app: string, plannerOptions?: string): DataSourceOptions {
  return {
    type: 'postgres',
    url: settings.DATABASE_URL,
    poolSize: settings.DATABASE_POOL_SIZE,
    applicationName: `deskwire-${app}`,
    connectTimeoutMS: 5000,
    extra: {
      statement_timeout: STATEMENT_TIMEOUT_MS,
      keepAlive: true,
      Client: ResilientClient,
      ...(plannerOptions !== undefined && { options: plannerOptions }),
    },
    entities: Object.values(entities).filter((value) => isTable(value)),
    migrations: MIGRATIONS,
    migrationsTransactionMode: 'each',
    namingStrategy: new PostgresNamingStrategy(),
    logging: false,
  };
}
