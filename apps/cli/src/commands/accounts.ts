import type { Command } from 'commander';
import { withCommandContext } from '../command-context.js';
import { type OutputOptions, printRow, printRows } from '../output.js';
import { newPassword } from '../new-password.js';

interface CreateOptions extends OutputOptions {
  readonly owner: string;
  readonly passwordStdin?: boolean;
}

export function addAccounts(program: Command): void {
  const accounts = program.command('accounts').description('the organisations that use this installation');
  accounts
    .command('create')
    .description('make an account and the agent who owns it')
    .argument('<name>', 'name of the organisation')
    .requiredOption('--owner <email>', 'e-mail of its first agent')
    .option('--password-stdin', 'read the owner’s password from the standard input; otherwise one is made')
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  accounts create "Acme Ltd" --owner ada@acme.example')
    .action(createAccount);
  accounts
    .command('list')
    .description('list the accounts')
    .option('--json', 'print JSON')
    .action((options: OutputOptions) =>
      withCommandContext(async (operator) => {
        const found = await operator.accounts.list();
        const rows = found.map(({ id, name, createdAt }) => ({ id, name, created_at: createdAt }));
        printRows(rows, options, 'There is no account yet. Make one: accounts create "Name" --owner you@example.com');
      }),
    );
}

async function createAccount(name: string, options: CreateOptions): Promise<void> {
  const { password, given } = newPassword(options);
  const made = await withCommandContext(({ database, accounts }) =>
    database.systemTransaction(async (tx) => {
      const account = await accounts.create(tx, name);
      const owner = { email: options.owner, firstName: 'Account', lastName: 'Owner', role: 'owner', password } as const;
      return { account, agent: await accounts.addAgent(tx, account.id, owner) };
    }),
  );
  const row = { id: made.account.id, name: made.account.name, owner: made.agent.email };
  printRow(given ? row : { ...row, password }, options, given ? undefined : 'The password is shown only now.');
}
