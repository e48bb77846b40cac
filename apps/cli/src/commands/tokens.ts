import { SCOPES } from '#libs/entities';
import type { Command } from 'commander';
import { collectList, parseWholeNumber } from '../arguments.js';
import { withCommandContext } from '../command-context.js';
import { type OutputOptions, printResult, printRow, printRows } from '../output.js';

interface AccountOptions extends OutputOptions {
  readonly account: string;
}

interface CreateOptions extends AccountOptions {
  readonly agent: string;
  readonly scope?: string[];
  readonly days: number;
}

export function addTokens(program: Command): void {
  const tokens = program.command('tokens').description('personal access tokens, for people’s own scripts');
  addCreate(tokens);
  tokens
    .command('list')
    .description('list the live personal access tokens of an account')
    .requiredOption('--account <id or name>', 'the account')
    .option('--json', 'print JSON')
    .action(listTokens);
  tokens
    .command('revoke')
    .description('end a personal access token at once')
    .argument('<id>', 'as `tokens list` shows it')
    .requiredOption('--account <id or name>', 'the account')
    .option('--json', 'print JSON')
    .action(async (id: string, options: AccountOptions) => {
      await withCommandContext(async ({ accounts, tokens: personal }) => {
        await personal.revoke((await accounts.find(options.account)).id, id, 'operator');
      });
      printResult('Revoked.', { id, revoked: true }, options);
    });
}

function addCreate(tokens: Command): void {
  tokens
    .command('create')
    .description('make a personal access token for an agent')
    .argument('<name>', 'what it is for')
    .requiredOption('--account <id or name>', 'the account')
    .requiredOption('--agent <email>', 'whose token it is')
    .option('--scope <scope>', `what it may do: ${SCOPES.join(', ')}; read, unless said (repeatable)`, collectList)
    .option('--days <n>', 'how long it lives, at most 365', parseWholeNumber, 90)
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      '\nExample:\n  tokens create "nightly export" --account "Acme Ltd" --agent ada@acme.example --scope read',
    )
    .action(createToken);
}

async function createToken(name: string, options: CreateOptions): Promise<void> {
  const { agent: email, scope: scopes = ['read'], days } = options;
  const issued = await withCommandContext(async ({ database, accounts, tokens }) => {
    const account = await accounts.find(options.account);
    const agent = await accounts.findAgent(account.id, email);
    return tokens.create(database.account(account.id), { agentId: agent.id, name, scopes, days });
  });
  const row = { id: issued.id, token: issued.token, expires_at: issued.expiresAt };
  printRow(row, options, 'The token is shown only now: it is kept as a digest.');
}

async function listTokens(options: AccountOptions): Promise<void> {
  const found = await withCommandContext(async ({ accounts, tokens }) =>
    tokens.list((await accounts.find(options.account)).id),
  );
  const rows = found.map((token) => ({
    id: token.id,
    name: token.name,
    agent: token.agent,
    scopes: token.scopes,
    created_at: token.createdAt,
    last_used_at: token.lastUsedAt,
    expires_at: token.expiresAt,
  }));
  printRows(rows, options, 'There is no live token. Make one: tokens create --help');
}
