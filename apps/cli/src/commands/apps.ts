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

/** Without `admin`, which opens the webhooks of other applications. */
const DEFAULT = 'read,write,webhooks';

const SECRET_SHOWN_ONCE = 'Save the client secret now. It cannot be shown again.';

export const appCommands = commandGroup('apps', 'OAuth applications', [
  command('create', createApp)
    .description('register an application; prints its client ID and client secret')
    .argument('<name>', 'name shown on the consent page')
    .requiredOption('--redirect-uri <uri>', 'exact redirect URI (repeatable)', collectValues)
    .option('--scope <scope>', `scopes it may request: ${SCOPES.join(', ')} (default: ${DEFAULT})`, collectList)
    .option('--public', 'a client that cannot keep a secret, such as an app on a device; it must use PKCE')
    .example('apps create "Ticket Mirror" --redirect-uri https://mirror.example/callback --scope read,webhooks'),
  command('list', listApps).description('list all applications'),
  command('show', showApp).description('show one application').argument('<client-id>'),
  command('rotate-secret', rotateSecret)
    .description('issue a new client secret; the old one stays valid for a while')
    .argument('<client-id>')
    .option('--overlap-hours <n>', 'how long the old secret stays valid; 0 revokes it now', parseWholeNumber, 24)
    .example('apps rotate-secret 5f0c… --overlap-hours 0', 'Example, when a secret has leaked:'),
  command('set-scopes', setScopes)
    .description('change the scopes that an application may request; existing grants are not affected')
    .argument('<client-id>')
    .requiredOption('--scope <scope>', `scopes it may request: ${SCOPES.join(', ')}`, collectList)
    .example('apps set-scopes 5f0c… --scope read,webhooks'),
  command('approve', approveApp)
    .description('approve an application of an account or of the internet: agents may let it register webhooks')
    .argument('<client-id>'),
  command('disable', disableApp)
    .description('disable an application: its tokens and webhooks stop working immediately')
    .argument('<client-id>'),
  command('enable', enableApp)
    .description('enable a disabled application; its webhooks stay disabled until you enable them')
    .argument('<client-id>'),
]);

async function createApp(
  { database, applications }: CommandContext,
  name: string,
  { redirectUri, scope, public: isPublic = false }: { redirectUri: string[]; scope?: string[]; public?: boolean },
) {
  const wanted = { name, redirectUris: redirectUri, isPublic, scopes: scope ?? DEFAULT.split(',') };
  const issued = await database.systemTransaction((tx) => applications.create(tx, wanted));
  const row = applicationRow(issued.application);
  return isPublic ? asFields(row) : asFields({ ...row, client_secret: issued.clientSecret }, SECRET_SHOWN_ONCE);
}

async function listApps({ applications }: CommandContext) {
  const none = 'There is no application yet. Create one: apps create "Name" --redirect-uri https://…';
  return asTable((await applications.list()).map(applicationRow), none);
}

async function showApp({ applications }: CommandContext, clientId: string) {
  const found = await applications.find({ clientId });
  return asFields({ ...applicationRow(found), old_secret_good_until: found.previousSecretExpiresAt });
}

async function rotateSecret({ applications }: CommandContext, clientId: string, options: { overlapHours: number }) {
  const { application, clientSecret } = await applications.rotateSecret({ clientId }, options.overlapHours);
  const until = application.previousSecretExpiresAt;
  return asFields(
    { client_id: clientId, client_secret: clientSecret, old_secret_good_until: until },
    SECRET_SHOWN_ONCE,
  );
}

async function setScopes({ applications }: CommandContext, clientId: string, { scope }: { scope: string[] }) {
  return asFields(applicationRow(await applications.setScopes({ clientId }, scope)));
}

async function approveApp({ applications }: CommandContext, clientId: string) {
  return asFields(applicationRow(await applications.approve({ clientId })));
}

async function disableApp({ applications }: CommandContext, clientId: string) {
  const webhooks = await applications.disable({ clientId });
  const done = `Disabled. Its tokens are refused. Webhooks disabled: ${webhooks}.`;
  return asSentence(done, { client_id: clientId, disabled: true, webhooks_disabled: webhooks });
}

async function enableApp({ applications }: CommandContext, clientId: string) {
  await applications.enable({ clientId });
  return asSentence('Enabled.', { client_id: clientId, disabled: false });
}

const applicationRow = (application: Application): Row => ({
  ...rowOf(application, 'clientId', 'name', 'redirectUris', 'scopes', 'approvedAt', 'disabledAt', 'createdAt'),
  public: application.secretHash === null,
  account: application.makerAccountId,
});

type AccountOptions = { readonly account: string };
type CreateOptions = AccountOptions & { agent: string; scope?: string[]; days: number };

export const tokenCommands = commandGroup('tokens', 'personal access tokens for scripts', [
  command('create', createToken)
    .description('create a personal access token for an agent')
    .argument('<name>', 'name of the token, such as its purpose')
    .requiredOption('--account <id or name>', 'the account')
    .requiredOption('--agent <email>', 'email of the agent')
    .option(
      '--scope <scope>',
      `scopes: ${SCOPES.join(', ')} (repeatable, default: read); registering webhooks needs read,webhooks`,
      collectList,
    )
    .option('--days <n>', 'days until it expires, at most 365', parseWholeNumber, 90)
    .example('tokens create "nightly export" --account "Acme Ltd" --agent ada@acme.example --scope read'),
  command('list', listTokens)
    .description('list the valid personal access tokens of an account')
    .requiredOption('--account <id or name>', 'the account'),
  command('revoke', revokeToken)
    .description('revoke a personal access token immediately')
    .argument('<id>', 'token ID, as shown by `tokens list`')
    .requiredOption('--account <id or name>', 'the account'),
]);

async function createToken({ database, accounts, tokens }: CommandContext, name: string, options: CreateOptions) {
  const { agent: email, scope: scopes = ['read'], days } = options;
  const account = await accounts.find(options.account);
  const agent = await accounts.findAgent(account.id, email);
  const wanted = { agentId: agent.id, name, scopes, days };
  const issued = await database.account(account.id).transaction((tx) => tokens.create(tx, wanted));
  const row = { id: issued.id, token: issued.token, expires_at: issued.expiresAt };
  return asFields(row, 'Save the token now. It cannot be shown again.');
}

async function listTokens({ accounts, tokens }: CommandContext, options: AccountOptions) {
  const found = await tokens.list((await accounts.find(options.account)).id);
  const rows = found.map((token) =>
    rowOf(token, 'id', 'name', 'agent', 'scopes', 'createdAt', 'lastUsedAt', 'expiresAt'),
  );
  return asTable(rows, 'There is no valid token. Create one: tokens create --help');
}

async function revokeToken({ accounts, tokens }: CommandContext, id: string, options: AccountOptions) {
  await tokens.revoke((await accounts.find(options.account)).id, id, 'operator');
  return asSentence('Revoked.', { id, revoked: true });
}
