import { AGENT_ROLES, type AgentRole, Conflict } from '#libs/entities';
import { type Command, Option } from 'commander';
import { newPassword } from '../new-password.js';
import { withCommandContext } from '../command-context.js';
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
  addCreate(agents);
  addSetPassword(agents);
  addLink(agents);
}

function addCreate(agents: Command): void {
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
}

function addSetPassword(agents: Command): void {
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

function addLink(agents: Command): void {
  agents
    .command('link')
    .description('print a link that works once: to join for an invited agent, to set a new password for an active one')
    .argument('<email>')
    .requiredOption('--account <id or name>', 'the account')
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      '\nFor installations without a mail server. Example:\n  agents link ada@acme.example --account "Acme Ltd"',
    )
    .action(printLink);
}

async function createAgent(email: string, options: CreateOptions): Promise<void> {
  const { firstName, lastName, role } = options;
  const { password, given } = newPassword(options);
  const agent = await withCommandContext(async ({ database, accounts }) => {
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
  const agent = await withCommandContext(async ({ accounts, passwords }) => {
    const account = await accounts.find(options.account);
    const found = await accounts.findAgent(account.id, email);
    await passwords.set(account.id, found.id, password);
    return found;
  });
  const row = { id: agent.id, email: agent.email };
  printRow(given ? row : { ...row, password }, options, given ? 'The password is set.' : SHOWN_ONCE);
}

async function printLink(email: string, options: AgentOptions): Promise<void> {
  const row = await withCommandContext(async ({ accounts, singleUseLinks, settings }) => {
    const account = await accounts.find(options.account);
    const agent = await accounts.findAgent(account.id, email);
    const made = await singleUseLinks.issue(account.id, agent.id);
    if (!made) throw new Conflict('agent_archived', `${agent.email} is archived. Restore the agent first.`);
    const { purpose, path } = made;
    return { email: agent.email, purpose, link: `${settings.PUBLIC_URL.replace(/\/+$/, '')}${path}` };
  });
  const life = row.purpose === 'invitation' ? 'a week' : 'an hour';
  printRow(row, options, `The link works once, for ${life}. Whoever has it can enter the account.`);
}
