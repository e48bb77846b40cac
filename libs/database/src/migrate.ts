import type { DataSource } from 'typeorm';

/** Any 64-bit number will do, as long as every process asks for the same one. */
const MIGRATION_LOCK = 7_311_530_941;

/** Why the database could not be brought to the version of this program, and what to do. */
export class MigrationRefused extends Error {
  override readonly name = 'MigrationRefused';
}

/** Runs what is missing, each in a transaction of its own. Any number of processes may start at once: one migrates, the others wait for it. */
export async function runMigrations(dataSource: DataSource): Promise<string[]> {
  return withMigrationLock(dataSource, async () => {
    const newer = await migrationsOfNewerVersion(dataSource);
    if (newer.length > 0) throw new MigrationRefused(tellNewer(newer));
    try {
      return (await dataSource.runMigrations()).map(({ name }) => name);
    } catch (error) {
      throw await failureOf(dataSource, error as Error);
    }
  });
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
    await runner.query('select pg_advisory_lock($1)', [MIGRATION_LOCK]);
    return await work();
  } finally {
    await runner.query('select pg_advisory_unlock($1)', [MIGRATION_LOCK]);
    await runner.release();
  }
}
