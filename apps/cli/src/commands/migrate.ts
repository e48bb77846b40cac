import { pendingMigrations, runMigrations, undoMigrations } from '#libs/database';
import type { Command } from 'commander';
import { wholeNumber } from '../arguments.js';
import { asOperator } from '../operator.js';

export function addMigrate(program: Command): void {
  const migrate = program.command('migrate').description('bring the database to the version of this program');
  migrate
    .command('up')
    .description('run the migrations that are missing; several processes may do it at once')
    .action(() =>
      asOperator(async ({ database }) => {
        const done = await runMigrations(database.dataSource);
        console.log(done.length === 0 ? 'The database is up to date.' : `Ran ${done.join(', ')}.`);
      }),
    );
  migrate
    .command('down')
    .description('undo the last migrations; what they made is lost')
    .option('--count <n>', 'how many', wholeNumber, 1)
    .action(({ count }: { count: number }) =>
      asOperator(async ({ database }) => {
        await undoMigrations(database.dataSource, count);
        console.log(`Undid ${count}.`);
      }),
    );
  migrate
    .command('status')
    .description('say whether migrations are missing; exit code 3 if so')
    .action(() =>
      asOperator(async ({ database }) => {
        const pending = await pendingMigrations(database.dataSource);
        console.log(pending ? 'Migrations are missing: run `migrate up`.' : 'The database is up to date.');
        if (pending) process.exitCode = 3;
      }),
    );
}
