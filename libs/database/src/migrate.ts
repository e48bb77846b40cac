import { setTimeout as delay } from 'node:timers/promises';
import type { DataSource } from 'typeorm';
import { type DatabaseSettings, createMigrationSource } from './data-source.js';

/** Any 64-bit number will do, as long as every process asks for the same one. */
const MIGRATION_LOCK = 7_311_530_941;

const LOCK_NOT_AVAILABLE = '55P03';

/** With what a migration waits for a lock by itself, this is some minutes. */
const MAX_RUNS = 60;
const PAUSE_MS = 1_000;

/** Why the database could not be brought to the version of this program, and what to do. */
export class MigrationRefused extends Error {
  override readonly name = 'MigrationRefused';
}

/** Past a pooler, and with as much time as it takes. */
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

/** Runs what is missing, each in a transaction of its own. Any number of processes may start at once: one migrates, the others wait for it. */
export async function runMigrations(dataSource: DataSource): Promise<string[]> {
  return withMigrationLock(dataSource, async () => {
    const newer = await migrationsOfNewerVersion(dataSource);
    if (newer.length > 0) throw new MigrationRefused(tellNewer(newer));
    return runAll(dataSource).catch(async (error: Error) => {
      throw await failureOf(dataSource, error);
    });
  });
}

/** One that waited too long for a lock has changed nothing, and let everybody pass who waited behind it. */
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

/** Those that ran here and that this program does not know: it would not understand what they have made. */
export async function migrationsOfNewerVersion(dataSource: DataSource): Promise<string[]> {
  const known = new Set(namesOf(dataSource));
  return (await ranMigrations(dataSource)).filter((name) => !known.has(name));
}

export function tellNewer(names: readonly string[]): string {
  return `The data is of a newer version of Deskwire (${names.at(-1)} ran here): start that version, or restore a backup from before it.`;
}

const namesOf = ({ migrations }: DataSource): string[] =>
  migrations.map((migration) => migration.name ?? migration.constructor.name);

async function ranMigrations(dataSource: DataSource): Promise<string[]> {
  const [table] = await dataSource.query<{ made: boolean }[]>(`select to_regclass('migrations') is not null as made`);
  if (!table?.made) return [];
  const rows = await dataSource.query<{ name: string }[]>('select name from migrations order by timestamp');
  return rows.map(({ name }) => name);
}

/** What ran before it stays, and it has left nothing, so that the next run begins with it again. */
async function failureOf(dataSource: DataSource, error: Error): Promise<MigrationRefused> {
  const ran = new Set(await ranMigrations(dataSource).catch(() => []));
  const failed = namesOf(dataSource).find((name) => !ran.has(name));
  const { detail } = error as { detail?: string };
  const reason = detail === undefined ? error.message : `${error.message} (${detail})`;
  return new MigrationRefused(
    `The migration ${failed} failed: ${reason}. Nothing of it remains; mend the cause and run it again.`,
    { cause: error },
  );
}

export async function revertMigrations(dataSource: DataSource, count: number): Promise<void> {
  await withMigrationLock(dataSource, async () => {
    for (let undone = 0; undone < count; undone++) await dataSource.undoLastMigration();
  });
}

export async function hasPendingMigrations(dataSource: DataSource): Promise<boolean> {
  return dataSource.showMigrations();
}

async function withMigrationLock<T>(dataSource: DataSource, work: () => Promise<T>): Promise<T> {
  const runner = dataSource.createQueryRunner();
  try {
    // Another process may migrate for as long as it takes.
    await runner.query("select set_config('lock_timeout', '0', false)");
    await runner.query('select pg_advisory_lock($1)', [MIGRATION_LOCK]);
    return await work();
  } finally {
    await runner.query('select pg_advisory_unlock($1)', [MIGRATION_LOCK]);
    await runner.release();
  }
}
