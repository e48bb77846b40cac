import type { CommandContext } from '../command-context.js';
import { command, commandGroup } from '../command.js';
import { asFields, asTable } from '../output.js';

export const mailboxCommands = commandGroup('mailboxes', 'where the tickets of an account come in', [
  command('create', createMailbox)
    .description('make a mailbox')
    .argument('<name>')
    .requiredOption('--account <id or name>', 'the account')
    .requiredOption('--email <address>', 'where customers write to')
    .addHelpText('after', '\nExample:\n  mailboxes create Billing --account "Acme Ltd" --email billing@acme.example'),
  command('list', listMailboxes)
    .description('list the mailboxes of an account')
    .requiredOption('--account <id or name>', 'the account'),
]);

interface CreateOptions {
  readonly account: string;
  readonly email: string;
}

async function createMailbox({ database, accounts }: CommandContext, name: string, options: CreateOptions) {
  const account = await accounts.find(options.account);
  const mailbox = await database.systemTransaction((tx) =>
    accounts.addMailbox(tx, account.id, { name, email: options.email }),
  );
  return asFields({ id: mailbox.id, name: mailbox.name, email: mailbox.email, account: account.name });
}

async function listMailboxes({ accounts }: CommandContext, options: { account: string }) {
  const account = await accounts.find(options.account);
  const rows = (await accounts.mailboxes(account.id)).map(({ id, name, email }) => ({ id, name, email }));
  return asTable(rows, 'This account has no mailbox, so it can have no tickets. Make one: mailboxes create');
}
