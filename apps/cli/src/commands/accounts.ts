import {
  type CommandContext,
  command,
  commandGroup,
  type PasswordOptions,
  asFieldsWithPassword,
  newPassword,
  asTable,
  asFields,
} from '../command.js';
import { AGENT_ROLES, type AgentRole, Conflict } from '#libs/entities';
import { Links } from '#libs/payloads';
import { Option } from 'commander';

export const accountCommands = commandGroup('accounts', 'organisations that use this installation', [
  command('create', createAccount)
    .description('create an account with its owner and its first mailbox')
    .argument('<name>', 'name of the organisation')
    .requiredOption('--owner <email>', 'email of the owner')
    .option('--mailbox <email>', 'address of the first mailbox (default: support@ at the owner’s domain)')
    .option('--password-stdin', 'read the owner’s password from standard input (default: generate one)')
    .example('accounts create "Acme Ltd" --owner ada@acme.example'),
  command('list', listAccounts).description('list all accounts'),
]);

async function createAccount(
  { database, accounts, mailboxes }: CommandContext,
  name: string,
  options: PasswordOptions & { owner: string; mailbox?: string },
) {
  const password = newPassword(options);
  const owner = { email: options.owner, firstName: 'Account', lastName: 'Owner', role: 'owner', password } as const;
  const row = await database.systemTransaction(async (tx) => {
    const account = await accounts.create(tx, name);
    const { email } = await accounts.addAgent(tx, account.id, owner);
    const address = options.mailbox ?? `support@${email.split('@').at(-1)}`;
    const mailbox = await mailboxes.create(tx, account.id, { name: 'Support', email: address });
    return { id: account.id, name: account.name, owner: email, mailbox: mailbox.email };
  });
  return asFieldsWithPassword(row, password, options);
}

async function listAccounts({ accounts }: CommandContext) {
  const rows = (await accounts.list()).map(({ id, name, createdAt }) => ({ id, name, created_at: createdAt }));
  return asTable(rows, 'There is no account yet. Create one: accounts create "Name" --owner you@example.com');
}

type AgentOptions = PasswordOptions & { readonly account: string };
type CreateOptions = AgentOptions & Readonly<{ firstName: string; lastName: string; role: AgentRole }>;

export const agentCommands = commandGroup('agents', 'members of the support team', [
  command('create', createAgent)
    .description('create an agent who can sign in immediately, without an invitation')
    .argument('<email>')
    .requiredOption('--account <id or name>', 'the account')
    .requiredOption('--first-name <name>', 'first name')
    .requiredOption('--last-name <name>', 'last name')
    .addOption(new Option('--role <role>', 'permissions of the agent').choices(AGENT_ROLES).default('agent'))
    .option('--password-stdin', 'read the password from standard input (default: generate one)')
    .example(
      'agents create grace@acme.example --account "Acme Ltd" --first-name Grace --last-name Hopper --role admin',
    ),
  command('set-password', setPassword)
    .description('set a new password for an agent; ends all their sessions')
    .argument('<email>')
    .requiredOption('--account <id or name>', 'the account')
    .option('--password-stdin', 'read the password from standard input (default: generate one)')
    .example('printf %s "$PASSWORD" | agents set-password ada@acme.example --account "Acme Ltd" --password-stdin'),
  command('reset-two-factor', resetTwoFactor)
    .description('turn off two-factor sign-in for an agent who lost their phone; ends all their sessions')
    .argument('<email>')
    .requiredOption('--account <id or name>', 'the account')
    .example('agents reset-two-factor ada@acme.example --account "Acme Ltd"'),
  command('link', printLink)
    .description('print a single-use link: to join (invited agents) or to set a new password (active agents)')
    .argument('<email>')
    .requiredOption('--account <id or name>', 'the account')
    .example('agents link ada@acme.example --account "Acme Ltd"', 'For installations without a mail server. Example:'),
]);

async function createAgent({ database, accounts }: CommandContext, email: string, options: CreateOptions) {
  const { firstName, lastName, role } = options;
  const password = newPassword(options);
  const account = await accounts.find(options.account);
  const agent = await database.systemTransaction((tx) =>
    accounts.addAgent(tx, account.id, { email, firstName, lastName, role, password }),
  );
  const row = { id: agent.id, email: agent.email, role: agent.role, state: agent.state };
  return asFieldsWithPassword(row, password, options);
}

async function setPassword({ accounts, passwords }: CommandContext, email: string, options: AgentOptions) {
  const password = newPassword(options);
  const account = await accounts.find(options.account);
  const agent = await accounts.findAgent(account.id, email);
  await passwords.set(account.id, agent.id, password);
  const row = { id: agent.id, email: agent.email };
  return options.passwordStdin ? asFields(row, 'Password set.') : asFieldsWithPassword(row, password, options);
}

async function resetTwoFactor({ accounts, twoFactor }: CommandContext, email: string, options: AgentOptions) {
  const account = await accounts.find(options.account);
  const { id } = await accounts.findAgent(account.id, email);
  const nobody = { agentId: null, applicationId: null, requestId: null };
  const agent = await twoFactor.reset({ ...nobody, accountId: account.id, role: 'owner' }, id);
  return asFields({ id, email: agent.email }, 'Two-factor sign-in is off for this agent.');
}

async function printLink({ accounts, singleUseLinks, settings }: CommandContext, email: string, options: AgentOptions) {
  const account = await accounts.find(options.account);
  const agent = await accounts.findAgent(account.id, email);
  const made = await singleUseLinks.issue(account.id, agent.id);
  if (!made) throw new Conflict('agent_archived', `${agent.email} is archived. Restore the agent first.`);
  const { purpose, path } = made;
  const life = purpose === 'invitation' ? '7 days' : '1 hour';
  const row = { email: agent.email, purpose, link: `${new Links(settings.PUBLIC_URL).base}${path}` };
  return asFields(row, `The link works once and expires in ${life}. Anyone who has it can sign in to the account.`);
}
