import {
  hasPendingMigrations,
  refuseForeignData,
  revertMigrations,
  runMigrations,
  withMigrationSource,
} from '#libs/database';
import { Command } from 'commander';
import { parseWholeNumber, command } from '../command.js';
import type { CommandContext } from '../command-context.js';
import { asSentence } from '../output.js';

const EXIT_PENDING = 3;

export const migrateCommands = new Command('migrate')
  .description('bring the database to the version of this program')
  .addCommand(command('up', up).description('run the migrations that are missing; several processes may do it at once'))
  .addCommand(
    command('down', down)
      .description('undo the last migrations; what they made is lost')
      .option('--count <n>', 'how many', parseWholeNumber, 1),
  )
  .addCommand(command('status', status).description('say whether migrations are missing; exit code 3 if so'));

async function up({ settings }: CommandContext) {
  const done = await withMigrationSource(settings, runMigrations);
  return asSentence(done.length === 0 ? 'The database is up to date.' : `Ran ${done.join(', ')}.`);
}

async function down({ settings }: CommandContext, { count }: { count: number }) {
  await withMigrationSource(settings, (dataSource) => revertMigrations(dataSource, count));
  return asSentence(`Undid ${count}.`);
}

async function status({ database }: CommandContext) {
  await refuseForeignData(database.dataSource);
  const pending = await hasPendingMigrations(database.dataSource);
  if (pending) process.exitCode = EXIT_PENDING;
  return asSentence(pending ? 'Migrations are missing: run `migrate up`.' : 'The database is up to date.');
}
