import * as entities from '#libs/entities';
import { type Settings, singleHostUrls } from '#libs/settings';
import type { Pool } from 'pg';
import { DataSource, type DataSourceOptions, type MigrationInterface, getMetadataArgsStorage } from 'typeorm';
import { SnakeCaseColumns } from './columns.js';
import { GrowingPool } from './growing-pool.js';
import { MIGRATION_FILES } from './migration-files.js';
import { ResilientClient } from './resilient-client.js';
import type { Prepared } from './statements.js';

type Migration = new () => MigrationInterface;

const isMigration = (value: unknown): value is Migration =>
  typeof value === 'function' &&
  [value.prototype?.up, value.prototype?.down].every((step) => typeof step === 'function');

const timeOf = ({ name }: Migration): number => Number(name.slice(-13));

/** Ordered by the times in their names, over all libraries. */
export const MIGRATIONS = MIGRATION_FILES.flatMap((exported) => Object.values(exported))
  .filter((value) => isMigration(value))
  .toSorted((one, other) => timeOf(one) - timeOf(other));

const isTable = (value: unknown): value is abstract new () => object =>
  getMetadataArgsStorage().tables.some(({ target }) => target === value);

/** Longer statements would hold their locks. */
const STATEMENT_TIMEOUT_MS = 30_000;

/** If the error of a timed-out statement takes longer, the connection is lost. */
const MAX_TRANSIT_MS = 5_000;

/** Queries queue behind a waiting migration, so it gives up and is retried. */
const LOCK_TIMEOUT_MS = 3_000;

/** One holds the lock, the other migrates. */
const MIGRATION_CONNECTIONS = 2;

export type DatabaseSettings = Pick<Settings, 'DATABASE_URL' | 'DATABASE_POOL_SIZE'> &
  Partial<Pick<Settings, 'DATABASE_DIRECT_URL'>>;

export const createDataSource = (settings: DatabaseSettings, app: string, planning?: SessionSettings): DataSource =>
  new DataSource(dataSourceOptions(settings, app, planning));

export function dataSourceOptions(
  settings: DatabaseSettings,
  app: string,
  planning: SessionSettings = {},
): DataSourceOptions {
  const session = { statement_timeout: `${STATEMENT_TIMEOUT_MS}`, ...planning };
  return {
    ...optionsFor(settings, app),
    extra: {
      ...connectionOptions(settings.DATABASE_URL, STATEMENT_TIMEOUT_MS + MAX_TRANSIT_MS),
      ...(isPooled(settings)
        ? { transactionSettings: settingsOfTransaction(session) }
        : { options: startupOptions(session) }),
    },
  };
}

/** A migration may run long, but must not block queries. */
const UNLIMITED = { statement_timeout: '0', lock_timeout: `${LOCK_TIMEOUT_MS}` };

/** The lock of migrations belongs to a session, so a pooler is avoided. */
export function createMigrationSource(settings: DatabaseSettings): DataSource {
  const url = settings.DATABASE_DIRECT_URL ?? settings.DATABASE_URL;
  return new DataSource({
    ...optionsFor({ ...settings, DATABASE_URL: url, DATABASE_POOL_SIZE: MIGRATION_CONNECTIONS }, 'migrations'),
    extra: { ...connectionOptions(url), options: startupOptions(UNLIMITED) },
  });
}

/** A pooler shares sessions, so each transaction sets them. */
export const transactionSettingsOf = ({ options }: Pool): Prepared | undefined =>
  (options as { transactionSettings?: Prepared }).transactionSettings;

/** With a direct address, DATABASE_URL is a pooler. */
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
    namingStrategy: new SnakeCaseColumns(),
    logging: false,
  } satisfies DataSourceOptions;
}

const CONNECT_TIMEOUT_MS = 5_000;

/** The system’s default, two hours, notices a lost host too late. */
const KEEP_ALIVE_MS = 10_000;

export function connectionOptions(url: string, maxSilenceMs?: number) {
  const urls = singleHostUrls(url);
  return {
    connectionString: urls[0]!,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
    Client: ResilientClient,
    ...(maxSilenceMs !== undefined && { maxSilenceMs }),
    ...(urls.length > 1 && { hostUrls: urls }),
  };
}

export type SessionSettings = Readonly<Record<string, string>>;

export const startupOptions = (settings: SessionSettings): string =>
  Object.entries(settings)
    .map(([name, value]) => `-c ${name}=${value}`)
    .join(' ');

const settingsOfTransaction = (settings: SessionSettings): Prepared => ({
  name: 'tx_settings',
  text: `select ${Object.entries(settings)
    .map(([name, value]) => `set_config('${name}', '${value}', true)`)
    .join(', ')}`,
  values: [],
});
