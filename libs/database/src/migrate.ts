import type { DataSource } from 'typeorm';

/** Any 64-bit number will do, as long as every process asks for the same one. */
const MIGRATION_LOCK = 7_311_530_941;

/** Runs what is missing. Any number of processes may start at once: one migrates, the others wait for it. */
export async function runMigrations(dataSource: DataSource): Promise<string[]> {
  return withMigrationLock(dataSource, async () => (await dataSource.runMigrations()).map(({ name }) => name));
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
