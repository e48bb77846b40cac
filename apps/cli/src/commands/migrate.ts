import { hasPendingMigrations, runMigrations, revertMigrations } from '#libs/database';
import type { Command } from 'commander';
import { parseWholeNumber } from '../arguments.js';
import { withCommandContext } from '../command-context.js';

export function addMigrate(program: Command): void {
  const migrate = program.command('migrate').description('bring the database to the version of this program');
  migrate
    .command('up')
    .description('run the migrations that are missing; several processes may do it at once')
    .action(() =>
      withCommandContext(async ({ database }) => {
        const done = await runMigrations(database.dataSource);
        console.log(done.length === 0 ? 'The database is up to date.' : `Ran ${done.join(', ')}.`);
      }),
    );
  migrate
    .command('down')
    .description('undo the last migrations; what they made is lost')
    .option('--count <n>', 'how many', parseWholeNumber, 1)
    .action(({ count }: { count: number }) =>
      withCommandContext(async ({ database }) => {
        await revertMigrations(database.dataSource, count);
        console.log(`Undid ${count}.`);
      }),
    );
  migrate
    .command('status')
    .description('say whether migrations are missing; exit code 3 if so')
    .action(() =>
      withCommandContext(async ({ database }) => {
        const pending = await hasPendingMigrations(database.dataSource);
        console.log(pending ? 'Migrations are missing: run `migrate up`.' : 'The database is up to date.');
        if (pending) process.exitCode = 3;
      }),
    );
}
