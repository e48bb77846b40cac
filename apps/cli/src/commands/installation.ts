import {
  hasPendingMigrations,
  refuseForeignData,
  revertMigrations,
  runMigrations,
  withMigrationSource,
} from '#libs/database';
import { Command } from 'commander';
import { parseWholeNumber, command, asSentence, type CommandContext } from '../command.js';
import { noteRestore, renumberEvents } from '#libs/events';
import { giveBackAll } from '#libs/delivery';

const EXIT_PENDING = 3;

export const migrateCommands = new Command('migrate')
  .description('migrate the database to the version of this program')
  .addCommand(command('up', up).description('run pending migrations; safe to run in several processes at once'))
  .addCommand(
    command('down', down)
      .description('revert the last migrations; loses the data that they added')
      .option('--count <n>', 'number of migrations', parseWholeNumber, 1),
  )
  .addCommand(command('status', status).description('show whether migrations are pending; exit code 3 if so'));

async function up({ settings }: CommandContext) {
  const done = await withMigrationSource(settings, runMigrations);
  return asSentence(done.length === 0 ? 'The database is up to date.' : `Ran ${done.join(', ')}.`);
}

async function down({ settings }: CommandContext, { count }: { count: number }) {
  const reverted = await withMigrationSource(settings, (dataSource) => revertMigrations(dataSource, count));
  return asSentence(reverted.length === 0 ? 'No migration is left to revert.' : `Reverted ${reverted.join(', ')}.`);
}

async function status({ database }: CommandContext) {
  await refuseForeignData(database.dataSource);
  const pending = await hasPendingMigrations(database.dataSource);
  if (pending) process.exitCode = EXIT_PENDING;
  return asSentence(pending ? 'Migrations are pending. Run `migrate up`.' : 'The database is up to date.');
}

const LOST = `No command restores the following:
- Tickets created after the backup are lost. Their numbers will be reused, so old links lead to other tickets.
- Secrets, passwords and tokens are those of the backup. Rotate or revoke leaked ones again.
- Attachments deleted after the backup may be missing from storage. Those added after it belong to no message.
- Receivers may hold events that no longer exist here. Tell their owners the time of the backup.`;

export const restoredCommand = command('restored', restored)
  .description(
    'record that the database was restored from a backup; run it once, before you start the API and the workers',
  )
  .option('--json', 'print JSON')
  .addHelpText('after', '\nAll steps are in docs/operations.md, under “Backup and restore”.');

async function restored({ database, accounts, clock }: CommandContext) {
  const now = clock.now();
  await noteRestore(database.system(), now);
  let renumbered = 0;
  for (const { id } of await accounts.list()) renumbered += await renumberEvents(database.account(id));
  const owed = await giveBackAll(database.system(), now);
  return asSentence(
    `Older cursors of /v1/events and /v1/changes are now refused. The error says what to do.
Deliveries queued again, with the same webhook-id: ${owed}.
Events renumbered for the feed: ${renumbered}.

${LOST}`,
    { owed, renumbered },
  );
}
