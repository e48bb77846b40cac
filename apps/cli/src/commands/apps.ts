import { SCOPES, type Application } from '#libs/entities';
import {
  collectList,
  collectValues,
  parseWholeNumber,
  command,
  commandGroup,
  type Row,
  rowOf,
  asFields,
  asSentence,
  asTable,
  type CommandContext,
} from '../command.js';

const SECRET_SHOWN_ONCE = 'The client secret is shown only now: it is kept as a digest.';

export const appCommands = commandGroup('apps', 'applications that people can give access to their account (OAuth)', [
  command('create', createApp)
    .description('issue a client id and a client secret')
    .argument('<name>', 'name people see when they are asked for consent')
    .requiredOption('--redirect-uri <uri>', 'where codes are sent, exactly; may be given several times', collectValues)
    .option('--scope <scope>', `what it may ask for at most: ${SCOPES.join(', ')} (default: all)`, collectList)
    .example('apps create "Ticket Mirror" --redirect-uri https://mirror.example/callback --scope read,webhooks'),
  command('list', listApps).description('list the applications'),
  command('show', showApp).description('show one application').argument('<client-id>'),
  command('rotate-secret', rotateSecret)
    .description('issue a new client secret; the old one stays good for a while')
    .argument('<client-id>')
    .option('--overlap-hours <n>', 'how long the old secret stays good; 0 ends it now', parseWholeNumber, 24)
    .example('apps rotate-secret 5f0c… --overlap-hours 0', 'Example, when a secret has leaked:'),
  command('set-scopes', setScopes)
    .description('change what an application may ask for; people who gave it access are not affected')
    .argument('<client-id>')
    .requiredOption('--scope <scope>', `what it may ask for at most: ${SCOPES.join(', ')}`, collectList)
    .example('apps set-scopes 5f0c… --scope read,webhooks'),
  command('disable', disableApp)
    .description('stop an application: its tokens are refused and its webhooks disabled, at once')
    .argument('<client-id>'),
  command('enable', enableApp)
    .description('let a disabled application work again; its webhooks stay off until someone turns them on')
    .argument('<client-id>'),
]);

async function createApp(
  { database, applications }: CommandContext,
  name: string,
  { redirectUri, scope }: { redirectUri: string[]; scope?: string[] },
) {
  const wanted = { name, redirectUris: redirectUri, ...(scope && { scopes: scope }) };
  const issued = await database.systemTransaction((tx) => applications.create(tx, wanted));
  return asFields({ ...applicationRow(issued.application), client_secret: issued.clientSecret }, SECRET_SHOWN_ONCE);
}

async function listApps({ applications }: CommandContext) {
  const none = 'There is no application yet. Make one: apps create "Name" --redirect-uri https://…';
  return asTable((await applications.list()).map(applicationRow), none);
}

async function showApp({ applications }: CommandContext, clientId: string) {
  const found = await applications.find(clientId);
  return asFields({ ...applicationRow(found), old_secret_good_until: found.previousSecretExpiresAt });
}

async function rotateSecret({ applications }: CommandContext, clientId: string, options: { overlapHours: number }) {
  const { application, clientSecret } = await applications.rotateSecret(clientId, options.overlapHours);
  const until = application.previousSecretExpiresAt;
  return asFields(
    { client_id: clientId, client_secret: clientSecret, old_secret_good_until: until },
    SECRET_SHOWN_ONCE,
  );
}

async function setScopes({ applications }: CommandContext, clientId: string, { scope }: { scope: string[] }) {
  return asFields(applicationRow(await applications.setScopes(clientId, scope)));
}

async function disableApp({ applications }: CommandContext, clientId: string) {
  const webhooks = await applications.disable(clientId);
  const done = `Disabled. Its tokens are refused from now on; webhooks stopped: ${webhooks}.`;
  return asSentence(done, { client_id: clientId, disabled: true, webhooks_disabled: webhooks });
}

async function enableApp({ applications }: CommandContext, clientId: string) {
  await applications.enable(clientId);
  return asSentence('Enabled.', { client_id: clientId, disabled: false });
}

const applicationRow = (application: Application): Row =>
  rowOf(application, 'clientId', 'name', 'redirectUris', 'scopes', 'disabledAt', 'createdAt');

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
  const rows = found.map((token) =>
    rowOf(token, 'id', 'name', 'agent', 'scopes', 'createdAt', 'lastUsedAt', 'expiresAt'),
  );
  return asTable(rows, 'There is no live token. Make one: tokens create --help');
}

async function revokeToken({ accounts, tokens }: CommandContext, id: string, options: AccountOptions) {
  await tokens.revoke((await accounts.find(options.account)).id, id, 'operator');
  return asSentence('Revoked.', { id, revoked: true });
}
