import { WEBHOOK_STATES, type WebhookState } from '#libs/entities';
import type { OperatorWebhook } from '#libs/webhooks';
import { type Command, Option } from 'commander';
import { parseWholeNumber } from '../arguments.js';
import { withCommandContext } from '../command-context.js';
import { type OutputOptions, type Row, printResult, printRow, printRows } from '../output.js';

interface ListOptions extends OutputOptions {
  readonly account?: string;
  readonly state?: WebhookState;
  readonly limit: number;
}

export function addWebhooks(program: Command): void {
  const webhooks = program.command('webhooks').description('what is sent to whom, in every account');
  addReadCommands(webhooks);
  addStateCommands(webhooks);
  addReseal(webhooks);
}

function addReadCommands(webhooks: Command): void {
  webhooks
    .command('list')
    .description('list webhooks, newest first')
    .option('--account <id or name>', 'of this account only')
    .addOption(new Option('--state <state>', 'in this state only').choices(WEBHOOK_STATES))
    .option('--limit <n>', 'how many at most', parseWholeNumber, 100)
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  webhooks list --account "Acme Ltd" --state disabled')
    .action(listWebhooks);
  webhooks
    .command('show')
    .description('show one webhook: where it stands, and what is owed to it')
    .argument('<id>')
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  webhooks show 01a1fa17-7c00-7000-8000-3f2c6d1e9b40')
    .action(async (id: string, options: OutputOptions) => {
      printRow(await withCommandContext(({ webhooks: all }) => all.show(id).then(webhookRow)), options);
    });
}

function addStateCommands(webhooks: Command): void {
  webhooks
    .command('disable')
    .description('stop a webhook at once: what is owed to it is cancelled, and the owner and admins get a mail')
    .argument('<id>')
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  webhooks disable 01a1fa17-7c00-7000-8000-3f2c6d1e9b40')
    .action(async (id: string, options: OutputOptions) => {
      const wasOn = await withCommandContext(({ webhooks: all }) => all.disable(id));
      const sentence = wasOn ? 'Disabled. What was owed to it is cancelled.' : 'It was disabled already.';
      printResult(sentence, { id, state: 'disabled', changed: wasOn }, options);
    });
  webhooks
    .command('enable')
    .description('let a webhook run again; what happened meanwhile can be replayed')
    .argument('<id>')
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  webhooks enable 01a1fa17-7c00-7000-8000-3f2c6d1e9b40')
    .action(async (id: string, options: OutputOptions) => {
      await withCommandContext(({ webhooks: all }) => all.enable(id));
      printResult(
        'Enabled. What happened meanwhile goes out only if it is replayed.',
        { id, state: 'active' },
        options,
      );
    });
}

function addReseal(webhooks: Command): void {
  webhooks
    .command('reseal')
    .description('seal every webhook secret with the first key of SECRETS_KEY, so that the others can be put away')
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample, after a new key was put first and everything was restarted:\n  webhooks reseal')
    .action(async (options: OutputOptions) => {
      const done = await withCommandContext(({ sealedSecrets }) => sealedSecrets.reseal());
      const problem = `${done.unopened} could not be opened: their key is not in SECRETS_KEY.`;
      printResult(`Resealed ${done.resealed}. ${done.unopened > 0 ? problem : ''}`.trim(), { ...done }, options);
      if (done.unopened > 0) process.exitCode = 1;
    });
}

async function listWebhooks({ account, state, limit, ...options }: ListOptions): Promise<void> {
  const found = await withCommandContext(async ({ accounts, webhooks }) => {
    const accountId = account === undefined ? undefined : (await accounts.find(account)).id;
    return webhooks.list({ accountId, state, limit });
  });
  printRows(found.map(options.json ? webhookRow : webhookSummaryRow), options, 'There is no such webhook.');
}

const webhookSummaryRow = ({ id, account, event, url, state, disabledReason, owed }: OperatorWebhook): Row => ({
  id,
  account,
  event,
  url: url.length > 60 ? `${url.slice(0, 59)}…` : url,
  state,
  reason: disabledReason,
  owed,
});

const webhookRow = (webhook: OperatorWebhook): Row => ({
  id: webhook.id,
  account: webhook.account,
  account_id: webhook.accountId,
  application: webhook.application,
  event: webhook.event,
  url: webhook.url,
  state: webhook.state,
  disabled_reason: webhook.disabledReason,
  failing_since: webhook.failingSince,
  paced_until: webhook.pacedUntil,
  slow_until: webhook.slowUntil,
  owed: webhook.owed,
  created_at: webhook.createdAt,
});
