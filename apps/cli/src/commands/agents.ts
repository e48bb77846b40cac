import { AGENT_ROLES, type AgentRole } from '#libs/entities';
import { type Command, Option } from 'commander';
import { newPassword } from '../new-password.js';
import { asOperator } from '../operator.js';
import { type OutputOptions, printRow } from '../output.js';

interface AgentOptions extends OutputOptions {
  readonly account: string;
  readonly passwordStdin?: boolean;
}

interface CreateOptions extends AgentOptions {
  readonly firstName: string;
  readonly lastName: string;
  readonly role: AgentRole;
}

const SHOWN_ONCE = 'The password is shown only now.';

export function addAgents(program: Command): void {
  const agents = program.command('agents').description('the people who answer tickets');
  agents
    .command('create')
    .description('make an agent who can sign in at once, without an invitation')
    .argument('<email>')
    .requiredOption('--account <id or name>', 'the account')
    .requiredOption('--first-name <name>', 'first name')
    .requiredOption('--last-name <name>', 'last name')
    .addOption(new Option('--role <role>', 'what the agent may do').choices(AGENT_ROLES).default('agent'))
    .option('--password-stdin', 'read the password from the standard input; otherwise one is made')
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      '\nExample:\n  agents create grace@acme.example --account "Acme Ltd" --first-name Grace --last-name Hopper --role admin',
    )
    .action(createAgent);
  agents
    .command('set-password')
    .description('give an agent a new password; signs the agent out everywhere')
    .argument('<email>')
    .requiredOption('--account <id or name>', 'the account')
    .option('--password-stdin', 'read the password from the standard input; otherwise one is made')
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      '\nExample:\n  printf %s "$PASSWORD" | agents set-password ada@acme.example --account "Acme Ltd" --password-stdin',
    )
    .action(setPassword);
}

async function createAgent(email: string, options: CreateOptions): Promise<void> {
  const { firstName, lastName, role } = options;
  const { password, given } = newPassword(options);
  const agent = await asOperator(async ({ database, accounts }) => {
    const account = await accounts.find(options.account);
    return database.systemTransaction((tx) =>
      accounts.addAgent(tx, account.id, { email, firstName, lastName, role, password }),
    );
  });
  const row = { id: agent.id, email: agent.email, role: agent.role, state: agent.state };
  printRow(given ? row : { ...row, password }, options, given ? undefined : SHOWN_ONCE);
}

async function setPassword(email: string, options: AgentOptions): Promise<void> {
  const { password, given } = newPassword(options);
  const agent = await asOperator(async ({ accounts, passwords }) => {
    const account = await accounts.find(options.account);
    const found = await accounts.findAgent(account.id, email);
    await passwords.set(account.id, found.id, password);
    return found;
  });
  const row = { id: agent.id, email: agent.email };
  printRow(given ? row : { ...row, password }, options, given ? 'The password is set.' : SHOWN_ONCE);
}
