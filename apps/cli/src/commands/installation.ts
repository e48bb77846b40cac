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

const OWNER = { email: 'owner@example.com', firstName: 'Olivia', lastName: 'Owner', role: 'owner' } as const;
const MAILBOX = { name: 'Support', email: 'support@example.com' };
const REDIRECT_URI = 'http://127.0.0.1:4001/callback';

export const firstRunCommand = command('first-run', fillEmptyInstallation)
  .description('fill an empty installation with a demonstration account and write its credentials to a file')
  .requiredOption('--file <path>', 'where the credentials go (mode 0600)');

async function fillEmptyInstallation(operator: CommandContext, { file }: { file: string }) {
  return operator.database.systemTransaction(async (tx) => {
    await tx.rows(FIRST_RUN_LOCK);
    if (await tx.repository(Account).exists()) return asSentence('There is an account already: nothing was done.');
    // The file is written before the commit: otherwise a failure would leave credentials that cannot be read again.
    writePrivateFile(file, `${JSON.stringify(await createDemoAccount(operator, tx), null, 2)}\n`);
    // Does not print the credentials, because output ends up in logs.
    return asSentence(`Made a demonstration account; ${file} says how to use it.`);
  });
}

async function createDemoAccount(operator: CommandContext, tx: SystemTx) {
  const { accounts, applications, tokens, settings } = operator;
  const password = randomPassword();
  const account = await accounts.create(tx, 'Demonstration');
  const owner = await accounts.addAgent(tx, account.id, { ...OWNER, password });
  const desk = tx.account(account.id);
  await accounts.addMailbox(tx, account.id, MAILBOX);
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

const LOST = `What no command brings back:
- Tickets since the backup are gone, and their numbers will be given to others. Links to them lead elsewhere.
- Secrets, passwords and tokens are as they were: rotate again what was rotated or revoked because it had leaked.
- Attachments that were deleted since may be missing in the storage; those that were added since belong to nothing.
- Receivers have events that never happened here. Tell those who keep books by them the time of the backup.`;

export const restoredCommand = command('restored', restored)
  .description('say that the database was put back from a backup; once, before the processes start again')
  .option('--json', 'print JSON')
  .addHelpText('after', '\nThe whole drill is in docs/operations.md, under “Backup and restore”.');

async function restored({ database, accounts, clock }: CommandContext) {
  const now = clock.now();
  await noteRestore(database.system(), now);
  let renumbered = 0;
  for (const { id } of await accounts.list()) renumbered += await renumberEvents(database.account(id));
  const owed = await giveBackAll(database.system(), now);
  return asSentence(
    `Cursors of /v1/events and /v1/changes from before are refused from now on, with what to do.
${owed} deliveries that were on their way are owed again, each under the same webhook-id.
${renumbered} events have been numbered anew for the feed.

${LOST}`,
    { owed, renumbered },
  );
}
