import { join } from 'node:path';
import * as entities from '#libs/entities';
import { importFolder } from './import-folder.js';
import { type Settings, singleHostUrls } from '#libs/settings';
import type { Pool } from 'pg';
import { DataSource, type DataSourceOptions, type MigrationInterface, getMetadataArgsStorage } from 'typeorm';
import { CONNECT_TIMEOUT_MS, connectionOptions } from './connection-options.js';
import { GrowingPool } from './growing-pool.js';
import { PostgresNamingStrategy } from './naming-strategy.js';
import { type SessionSettings, startupOptions } from './session-settings.js';

type Migration = new () => MigrationInterface;

const isMigration = (value: unknown): value is Migration =>
  typeof value === 'function' &&
  [value.prototype?.up, value.prototype?.down].every((step) => typeof step === 'function');

const modules = await importFolder(join(import.meta.dirname, '../..'), /^[\w-]+\/src\/migrations\/\d+-[\w-]+\.[jt]s$/);

const timeOf = ({ name }: Migration): number => Number(name.slice(-13));

/** The migrations of all libraries, in the order of the times at the end of their names. */
export const MIGRATIONS = modules
  .flatMap((exported) => Object.values(exported))
  .filter((value) => isMigration(value))
  .toSorted((one, other) => timeOf(one) - timeOf(other));

/** Every class of `#libs/entities` that is a table. */
const isTable = (value: unknown): value is abstract new () => object =>
  getMetadataArgsStorage().tables.some(({ target }) => target === value);

/** No statement of the product may run longer; one that does is stuck, and would hold its locks with it. */
const STATEMENT_TIMEOUT_MS = 30_000;

/** PostgreSQL ends a statement by itself. Where even that is not heard of, the connection is lost. */
const ANSWER_ON_ITS_WAY_MS = 5_000;

/** A migration that waits for a table makes everybody wait who comes after it. So it gives up, and is tried again. */
const LOCK_TIMEOUT_MS = 3_000;

/** One holds the lock of migrations, and one migrates. */
const MIGRATION_CONNECTIONS = 2;

export type DatabaseSettings = Pick<Settings, 'DATABASE_URL' | 'DATABASE_POOL_SIZE'> &
  Partial<Pick<Settings, 'DATABASE_DIRECT_URL'>>;

export function createDataSource(settings: DatabaseSettings, app: string, planning?: SessionSettings): DataSource {
  return new DataSource(dataSourceOptions(settings, app, planning));
}

/** `planning`: how PostgreSQL is to plan for this process. */
export function dataSourceOptions(
  settings: DatabaseSettings,
  app: string,
  planning: SessionSettings = {},
): DataSourceOptions {
  const session = sessionSettings(planning);
  return {
    ...optionsFor(settings, app),
    extra: {
      ...connectionOptions(settings.DATABASE_URL, { maxSilenceMs: STATEMENT_TIMEOUT_MS + ANSWER_ON_ITS_WAY_MS }),
      ...(isPooled(settings) ? { transactionSettings: session } : { options: startupOptions(session) }),
    },
  };
}

/** What holds for every statement of a process. */
export const sessionSettings = (planning: SessionSettings): SessionSettings => ({
  statement_timeout: `${STATEMENT_TIMEOUT_MS}`,
  ...planning,
});

/** As long as nobody else waits for them: migrations take what time they need, and their own care with locks. */
const UNLIMITED = { statement_timeout: '0', lock_timeout: `${LOCK_TIMEOUT_MS}` };

/** For migrations, which hold a lock of their session and are done by one process at a time. */
export function createMigrationSource(settings: DatabaseSettings): DataSource {
  const url = settings.DATABASE_DIRECT_URL ?? settings.DATABASE_URL;
  return new DataSource({
    ...optionsFor({ ...settings, DATABASE_URL: url, DATABASE_POOL_SIZE: MIGRATION_CONNECTIONS }, 'migrations'),
    extra: { ...connectionOptions(url), options: startupOptions(UNLIMITED) },
  });
}

/** What the pool was given by `dataSourceOptions`: the settings that each transaction says for itself. */
export function transactionSettingsOf({ options }: Pool): SessionSettings | undefined {
  return (options as { transactionSettings?: SessionSettings }).transactionSettings;
}

/** Where PostgreSQL has an address of its own, the other one leads through a pooler, which shares sessions. */
const isPooled = ({ DATABASE_URL, DATABASE_DIRECT_URL = DATABASE_URL }: DatabaseSettings): boolean =>
  DATABASE_DIRECT_URL !== DATABASE_URL;

function optionsFor({ DATABASE_URL, DATABASE_POOL_SIZE }: DatabaseSettings, app: string) {
  return {
    type: 'postgres',
    url: singleHostUrls(DATABASE_URL)[0]!,
    driver: { Pool: GrowingPool },
    poolSize: DATABASE_POOL_SIZE,
    applicationName: `deskwire-${app}`,
    connectTimeoutMS: CONNECT_TIMEOUT_MS,
    entities: Object.values(entities).filter((value) => isTable(value)),
    migrations: MIGRATIONS,
    migrationsTransactionMode: 'each',
    namingStrategy: new PostgresNamingStrategy(),
    logging: false,
  } satisfies DataSourceOptions;
}
