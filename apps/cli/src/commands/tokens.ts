import { SCOPES } from '#libs/entities';
import { collectList, parseWholeNumber, command, commandGroup, asFields, asSentence, asTable } from '../command.js';
import type { CommandContext } from '../command-context.js';

type AccountOptions = { readonly account: string };
type CreateOptions = AccountOptions & { agent: string; scope?: string[]; days: number };

export const tokenCommands = commandGroup('tokens', 'personal access tokens, for people’s own scripts', [
  command('create', createToken)
    .description('make a personal access token for an agent')
    .argument('<name>', 'what it is for')
    .requiredOption('--account <id or name>', 'the account')
    .requiredOption('--agent <email>', 'whose token it is')
    .option(
      '--scope <scope>',
      `what it may do: ${SCOPES.join(', ')}; read, unless said; registering webhooks takes read,webhooks (repeatable)`,
      collectList,
    )
    .option('--days <n>', 'how long it lives, at most 365', parseWholeNumber, 90)
    .example('tokens create "nightly export" --account "Acme Ltd" --agent ada@acme.example --scope read'),
  command('list', listTokens)
    .description('list the live personal access tokens of an account')
    .requiredOption('--account <id or name>', 'the account'),
  command('revoke', revokeToken)
    .description('end a personal access token at once')
    .argument('<id>', 'as `tokens list` shows it')
    .requiredOption('--account <id or name>', 'the account'),
]);

async function createToken({ database, accounts, tokens }: CommandContext, name: string, options: CreateOptions) {
  const { agent: email, scope: scopes = ['read'], days } = options;
  const account = await accounts.find(options.account);
  const agent = await accounts.findAgent(account.id, email);
  const wanted = { agentId: agent.id, name, scopes, days };
  const issued = await database.account(account.id).transaction((tx) => tokens.create(tx, wanted));
  const row = { id: issued.id, token: issued.token, expires_at: issued.expiresAt };
  return asFields(row, 'The token is shown only now: it is kept as a digest.');
}

async function listTokens({ accounts, tokens }: CommandContext, options: AccountOptions) {
  const found = await tokens.list((await accounts.find(options.account)).id);
  const rows = found.map((token) => ({
    id: token.id,
    name: token.name,
    agent: token.agent,
    scopes: token.scopes,
    created_at: token.createdAt,
    last_used_at: token.lastUsedAt,
    expires_at: token.expiresAt,
  }));
  return asTable(rows, 'There is no live token. Make one: tokens create --help');
}

async function revokeToken({ accounts, tokens }: CommandContext, id: string, options: AccountOptions) {
  await tokens.revoke((await accounts.find(options.account)).id, id, 'operator');
  return asSentence('Revoked.', { id, revoked: true });
}
