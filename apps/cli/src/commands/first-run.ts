import { renameSync, writeFileSync } from 'node:fs';
import type { SystemTx } from '#libs/database';
import { Account, SCOPES } from '#libs/entities';
import { Links } from '#libs/payloads';
import { type CommandContext, asSentence, command, randomPassword } from '../command.js';
import { FIRST_RUN_LOCK } from '../demo/demo.statements.js';

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
