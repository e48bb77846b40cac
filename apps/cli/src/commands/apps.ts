import { SCOPES, type Application } from '#libs/entities';
import type { Command } from 'commander';
import { collectList, collectValues, parseWholeNumber } from '../arguments.js';
import { withCommandContext } from '../command-context.js';
import { type OutputOptions, type Row, printResult, printRow, printRows } from '../output.js';

interface CreateOptions extends OutputOptions {
  readonly redirectUri: string[];
  readonly scope?: string[];
}

const SECRET_SHOWN_ONCE = 'The client secret is shown only now: it is kept as a digest.';

export function addApps(program: Command): void {
  const apps = program.command('apps').description('applications that people can give access to their account (OAuth)');
  addCreate(apps);
  addReadCommands(apps);
  addRotate(apps);
  addStateCommands(apps);
}

function addCreate(apps: Command): void {
  apps
    .command('create')
    .description('issue a client id and a client secret')
    .argument('<name>', 'name people see when they are asked for consent')
    .requiredOption('--redirect-uri <uri>', 'where codes are sent, exactly; may be given several times', collectValues)
    .option('--scope <scope>', `what it may ask for at most: ${SCOPES.join(', ')} (default: all)`, collectList)
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      '\nExample:\n  apps create "Ticket Mirror" --redirect-uri https://mirror.example/callback --scope read,webhooks',
    )
    .action(async (name: string, { redirectUri, scope, ...options }: CreateOptions) => {
      const wanted = { name, redirectUris: redirectUri, ...(scope && { scopes: scope }) };
      const issued = await withCommandContext(({ database, applications }) =>
        database.systemTransaction((tx) => applications.create(tx, wanted)),
      );
      printRow(
        { ...applicationRow(issued.application), client_secret: issued.clientSecret },
        options,
        SECRET_SHOWN_ONCE,
      );
    });
}

function addReadCommands(apps: Command): void {
  apps
    .command('list')
    .description('list the applications')
    .option('--json', 'print JSON')
    .action(async (options: OutputOptions) => {
      const found = await withCommandContext(({ applications }) => applications.list());
      const none = 'There is no application yet. Make one: apps create "Name" --redirect-uri https://…';
      printRows(found.map(applicationRow), options, none);
    });
  apps
    .command('show')
    .description('show one application')
    .argument('<client-id>')
    .option('--json', 'print JSON')
    .action(async (clientId: string, options: OutputOptions) => {
      const found = await withCommandContext(({ applications }) => applications.find(clientId));
      printRow({ ...applicationRow(found), old_secret_good_until: found.previousSecretExpiresAt }, options);
    });
}

function addRotate(apps: Command): void {
  apps
    .command('rotate-secret')
    .description('issue a new client secret; the old one stays good for a while')
    .argument('<client-id>')
    .option('--overlap-hours <n>', 'how long the old secret stays good; 0 ends it now', parseWholeNumber, 24)
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample, when a secret has leaked:\n  apps rotate-secret 5f0c… --overlap-hours 0')
    .action(async (clientId: string, { overlapHours, ...options }: OutputOptions & { overlapHours: number }) => {
      const issued = await withCommandContext(({ applications }) => applications.rotateSecret(clientId, overlapHours));
      const until = issued.application.previousSecretExpiresAt;
      const row = { client_id: clientId, client_secret: issued.clientSecret, old_secret_good_until: until };
      printRow(row, options, SECRET_SHOWN_ONCE);
    });
}

function addStateCommands(apps: Command): void {
  apps
    .command('disable')
    .description('stop an application: its tokens are refused and its webhooks disabled, at once')
    .argument('<client-id>')
    .option('--json', 'print JSON')
    .action(async (clientId: string, options: OutputOptions) => {
      const webhooks = await withCommandContext(({ applications }) => applications.disable(clientId));
      const done = `Disabled. Its tokens are refused from now on; webhooks stopped: ${webhooks}.`;
      printResult(done, { client_id: clientId, disabled: true, webhooks_disabled: webhooks }, options);
    });
  apps
    .command('enable')
    .description('let a disabled application work again; its webhooks stay off until someone turns them on')
    .argument('<client-id>')
    .option('--json', 'print JSON')
    .action(async (clientId: string, options: OutputOptions) => {
      await withCommandContext(({ applications }) => applications.enable(clientId));
      printResult('Enabled.', { client_id: clientId, disabled: false }, options);
    });
}

function applicationRow(application: Application): Row {
  return {
    client_id: application.clientId,
    name: application.name,
    redirect_uris: application.redirectUris,
    scopes: application.scopes,
    disabled_at: application.disabledAt,
    created_at: application.createdAt,
  };
}
