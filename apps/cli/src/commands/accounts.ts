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

type AgentOptions = PasswordOptions & { readonly account: string };
type CreateOptions = AgentOptions & Readonly<{ firstName: string; lastName: string; role: AgentRole }>;

export const agentCommands = commandGroup('agents', 'the people who answer tickets', [
  command('create', createAgent)
    .description('make an agent who can sign in at once, without an invitation')
    .argument('<email>')
    .requiredOption('--account <id or name>', 'the account')
    .requiredOption('--first-name <name>', 'first name')
    .requiredOption('--last-name <name>', 'last name')
    .addOption(new Option('--role <role>', 'what the agent may do').choices(AGENT_ROLES).default('agent'))
    .option('--password-stdin', 'read the password from the standard input; otherwise one is made')
    .example(
      'agents create grace@acme.example --account "Acme Ltd" --first-name Grace --last-name Hopper --role admin',
    ),
  command('set-password', setPassword)
    .description('give an agent a new password; signs the agent out everywhere')
    .argument('<email>')
    .requiredOption('--account <id or name>', 'the account')
    .option('--password-stdin', 'read the password from the standard input; otherwise one is made')
    .example('printf %s "$PASSWORD" | agents set-password ada@acme.example --account "Acme Ltd" --password-stdin'),
  command('reset-two-factor', resetTwoFactor)
    .description('let an agent who lost the phone sign in with the password alone; signs the agent out everywhere')
    .argument('<email>')
    .requiredOption('--account <id or name>', 'the account')
    .example('agents reset-two-factor ada@acme.example --account "Acme Ltd"'),
  command('link', printLink)
    .description('print a link that works once: to join for an invited agent, to set a new password for an active one')
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
  return options.passwordStdin ? asFields(row, 'The password is set.') : asFieldsWithPassword(row, password, options);
}

async function resetTwoFactor({ accounts, twoFactor }: CommandContext, email: string, options: AgentOptions) {
  const account = await accounts.find(options.account);
  const { id } = await accounts.findAgent(account.id, email);
  const nobody = { agentId: null, applicationId: null, requestId: null };
  const agent = await twoFactor.reset({ ...nobody, accountId: account.id, role: 'owner' }, id);
  return asFields({ id, email: agent.email }, 'The agent signs in with the password alone now.');
}

async function printLink({ accounts, singleUseLinks, settings }: CommandContext, email: string, options: AgentOptions) {
  const account = await accounts.find(options.account);
  const agent = await accounts.findAgent(account.id, email);
  const made = await singleUseLinks.issue(account.id, agent.id);
  if (!made) throw new Conflict('agent_archived', `${agent.email} is archived. Restore the agent first.`);
  const { purpose, path } = made;
  const life = purpose === 'invitation' ? 'a week' : 'an hour';
  const row = { email: agent.email, purpose, link: `${new Links(settings.PUBLIC_URL).base}${path}` };
  return asFields(row, `The link works once, for ${life}. Anyone who has it can sign in to the account.`);
}
