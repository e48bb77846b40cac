import {
  hasPendingMigrations,
  refuseForeignData,
  revertMigrations,
  runMigrations,
  withMigrationSource,
  type SystemTx,
} from '#libs/database';
import { Command } from 'commander';
import { parseWholeNumber, command, asSentence, randomPassword, type CommandContext } from '../command.js';
import { renameSync, writeFileSync } from 'node:fs';
import { Account, SCOPES } from '#libs/entities';
import { Links } from '#libs/payloads';
import { FIRST_RUN_LOCK } from '../demo/demo.statements.js';
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

const OWNER = { email: 'owner@example.com', firstName: 'Olivia', lastName: 'Owner', role: 'owner' } as const;
const MAILBOX = { name: 'Support', email: 'support@example.com' };
const REDIRECT_URI = 'http://127.0.0.1:4001/callback';

export const firstRunCommand = command('first-run', fillEmptyInstallation)
  .description('create a demonstration account in an empty installation and write its credentials to a file')
  .requiredOption('--file <path>', 'file for the credentials (mode 0600)');

async function fillEmptyInstallation(operator: CommandContext, { file }: { file: string }) {
  return operator.database.systemTransaction(async (tx) => {
    await tx.rows(FIRST_RUN_LOCK);
    if (await tx.repository(Account).exists()) return asSentence('An account already exists. Nothing was changed.');
    // The file is written before the commit: otherwise a failure would leave credentials that cannot be read again.
    writePrivateFile(file, `${JSON.stringify(await createDemoAccount(operator, tx), null, 2)}\n`);
    // Does not print the credentials, because output ends up in logs.
    return asSentence(`Created a demonstration account. Its credentials are in ${file}.`);
  });
}

async function createDemoAccount(operator: CommandContext, tx: SystemTx) {
  const { accounts, mailboxes, applications, tokens, settings } = operator;
  const password = randomPassword();
  const account = await accounts.create(tx, 'Demonstration');
  const owner = await accounts.addAgent(tx, account.id, { ...OWNER, password });
  const desk = tx.account(account.id);
  await mailboxes.create(tx, account.id, MAILBOX);
  const issued = await applications.create(tx, { name: 'Demonstration', redirectUris: [REDIRECT_URI] });
  const { token } = await tokens.create(desk, { agentId: owner.id, name: 'First run', scopes: SCOPES });
  return {
    base_url: new Links(settings.PUBLIC_URL).base,
    account: account.id,
    owner: { email: owner.email, password },
    mailbox: MAILBOX.email,
    client_id: issued.application.clientId,
    client_secret: issued.clientSecret,
    redirect_uri: REDIRECT_URI,
    token,
  };
}

/** Renames the file into place, so that it is complete and never readable by other users. */
function writePrivateFile(file: string, text: string): void {
  const draft = `${file}.${process.pid}`;
  writeFileSync(draft, text, { mode: 0o600, flag: 'w' });
  renameSync(draft, file);
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
