import type { CommandContext } from '../command-context.js';
import { command, commandGroup, type PasswordOptions, asFieldsWithPassword, newPassword } from '../command.js';
import { asTable } from '../output.js';

export const accountCommands = commandGroup('accounts', 'the organisations that use this installation', [
  command('create', createAccount)
    .description('make an account, the agent who owns it, and its first mailbox')
    .argument('<name>', 'name of the organisation')
    .requiredOption('--owner <email>', 'e-mail of its first agent')
    .option('--mailbox <email>', 'where its customers write to; support@ and the domain of the owner unless said')
    .option('--password-stdin', 'read the owner’s password from the standard input; otherwise one is made')
    .example('accounts create "Acme Ltd" --owner ada@acme.example'),
  command('list', listAccounts).description('list the accounts'),
]);

async function createAccount(
  { database, accounts }: CommandContext,
  name: string,
  options: PasswordOptions & { owner: string; mailbox?: string },
) {
  const password = newPassword(options);
  const owner = { email: options.owner, firstName: 'Account', lastName: 'Owner', role: 'owner', password } as const;
  const row = await database.systemTransaction(async (tx) => {
    const account = await accounts.create(tx, name);
    const { email } = await accounts.addAgent(tx, account.id, owner);
    const address = options.mailbox ?? `support@${email.split('@').at(-1)}`;
    const mailbox = await accounts.addMailbox(tx, account.id, { name: 'Support', email: address });
    return { id: account.id, name: account.name, owner: email, mailbox: mailbox.email };
  });
  return asFieldsWithPassword(row, password, options);
}

async function listAccounts({ accounts }: CommandContext) {
  const rows = (await accounts.list()).map(({ id, name, createdAt }) => ({ id, name, created_at: createdAt }));
  return asTable(rows, 'There is no account yet. Make one: accounts create "Name" --owner you@example.com');
}
