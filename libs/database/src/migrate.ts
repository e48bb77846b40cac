import { setTimeout as delay } from 'node:timers/promises';
import type { DataSource } from 'typeorm';
import { type DatabaseSettings, createMigrationSource } from './data-source.js';

/** Any number that is the same in every process. */
const MIGRATION_LOCK = 7_311_530_941;

const LOCK_NOT_AVAILABLE = '55P03';

const MAX_RUNS = 60;
const PAUSE_MS = 1_000;

/** Its message says why and what to do. */
export class MigrationRefused extends Error {
  override readonly name = 'MigrationRefused';
}

export async function withMigrationSource<T>(
  settings: DatabaseSettings,
  work: (dataSource: DataSource) => Promise<T>,
): Promise<T> {
  const dataSource = await createMigrationSource(settings).initialize();
  try {
    return await work(dataSource);
  } finally {
    await dataSource.destroy();
  }
}

/** One process migrates, the others wait. */
export async function runMigrations(dataSource: DataSource): Promise<string[]> {
  return withMigrationLock(dataSource, async () => {
    await refuseForeignData(dataSource);
    return runAll(dataSource).catch(async (error: Error) => {
      throw await failureOf(dataSource, error);
    });
  });
}

/** Retries after a lock timeout. */
async function runAll(dataSource: DataSource): Promise<string[]> {
  const before = new Set(await ranMigrations(dataSource));
  for (let run = 1; ; run++) {
    try {
      await dataSource.runMigrations();
      return (await ranMigrations(dataSource)).filter((name) => !before.has(name));
    } catch (error) {
      if ((error as { code?: string }).code !== LOCK_NOT_AVAILABLE || run === MAX_RUNS) throw error;
      await delay(PAUSE_MS);
    }
  }
}

/** Migrations ran that this version does not have. */
export async function refuseForeignData(dataSource: DataSource): Promise<void> {
  const known = new Set(namesOf(dataSource));
  const last = (await ranMigrations(dataSource)).findLast((name) => !known.has(name));
  if (last === undefined) return;
  throw new MigrationRefused(
    `The data is of a newer version of Deskwire (${last} ran here): start that version, or restore a backup from before it.`,
  );
}

const namesOf = ({ migrations }: DataSource): string[] =>
  migrations.map((migration) => migration.name ?? migration.constructor.name);

async function ranMigrations(dataSource: DataSource): Promise<string[]> {
  const [table] = await dataSource.query<{ made: boolean }[]>(`select to_regclass('migrations') is not null as made`);
  if (!table?.made) return [];
  const rows = await dataSource.query<{ name: string }[]>('select name from migrations order by timestamp');
  return rows.map(({ name }) => name);
}

async function failureOf(dataSource: DataSource, error: Error): Promise<MigrationRefused> {
  const ran = new Set(await ranMigrations(dataSource).catch(() => []));
  const failed = namesOf(dataSource).find((name) => !ran.has(name));
  const { detail } = error as { detail?: string };
  const reason = detail === undefined ? error.message : `${error.message} (${detail})`;
  return new MigrationRefused(
    `The migration ${failed} failed: ${reason}. It was rolled back; fix the cause and run it again.`,
    { cause: error },
  );
}

/** Returns the names, last migration first. TypeORM does nothing when none is left. */
export async function revertMigrations(dataSource: DataSource, count: number): Promise<string[]> {
  return withMigrationLock(dataSource, async () => {
    const before = await ranMigrations(dataSource);
    for (let undone = 0; undone < Math.min(count, before.length); undone++) await dataSource.undoLastMigration();
    const left = new Set(await ranMigrations(dataSource));
    return before.filter((name) => !left.has(name)).toReversed();
  });
}

export async function hasPendingMigrations(dataSource: DataSource): Promise<boolean> {
  const ran = new Set(await ranMigrations(dataSource));
  return namesOf(dataSource).some((name) => !ran.has(name));
}

async function withMigrationLock<T>(dataSource: DataSource, work: () => Promise<T>): Promise<T> {
  const runner = dataSource.createQueryRunner();
  try {
    // While it waits, another process may run long migrations.
    await runner.query("select set_config('lock_timeout', '0', false)");
    await runner.query('select pg_advisory_lock($1)', [MIGRATION_LOCK]);
    return await work();
  } finally {
    await runner.query('select pg_advisory_unlock($1)', [MIGRATION_LOCK]);
    await runner.release();
  }
}
