import { WEBHOOK_STATES, type WebhookState } from '#libs/entities';
import type { OperatorWebhook } from '#libs/webhooks';
import { Option } from 'commander';
import { parseWholeNumber, command, commandGroup } from '../command.js';
import type { CommandContext } from '../command-context.js';
import { type Row, asFields, asSentence, asTable } from '../output.js';
import { replayCommand } from './replay.js';

export const webhookCommands = commandGroup('webhooks', 'what is sent to whom, in every account', [
  command('list', listWebhooks)
    .description('list webhooks, newest first')
    .option('--account <id or name>', 'of this account only')
    .addOption(new Option('--state <state>', 'in this state only').choices(WEBHOOK_STATES))
    .option('--limit <n>', 'how many at most', parseWholeNumber, 100)
    .example('webhooks list --account "Acme Ltd" --state disabled'),
  command('show', showWebhook)
    .description('show one webhook: where it stands, and what is owed to it')
    .argument('<id>')
    .example('webhooks show 01a1fa17-7c00-7000-8000-3f2c6d1e9b40'),
  command('disable', disableWebhook)
    .description('stop a webhook at once: what is owed to it is cancelled, and the owner and admins get a mail')
    .argument('<id>')
    .example('webhooks disable 01a1fa17-7c00-7000-8000-3f2c6d1e9b40'),
  command('enable', enableWebhook)
    .description('let a webhook run again; what happened meanwhile can be replayed')
    .argument('<id>')
    .example('webhooks enable 01a1fa17-7c00-7000-8000-3f2c6d1e9b40'),
  replayCommand,
  command('reseal', reseal)
    .description('seal every webhook secret with the first key of SECRETS_KEY, so that the others can be put away')
    .example('webhooks reseal', 'Example, after a new key was put first and everything was restarted:'),
]);

type ListOptions = Readonly<{ account?: string; state?: WebhookState; limit: number }>;

async function listWebhooks({ accounts, webhooks }: CommandContext, { account, state, limit }: ListOptions) {
  const accountId = account === undefined ? undefined : (await accounts.find(account)).id;
  const found = await webhooks.list({ accountId, state, limit });
  return { ...asTable(found.map(webhookSummaryRow), 'There is no such webhook.'), data: found.map(webhookRow) };
}

async function showWebhook({ webhooks }: CommandContext, id: string) {
  return asFields(webhookRow(await webhooks.show(id)));
}

async function disableWebhook({ webhooks }: CommandContext, id: string) {
  const changed = await webhooks.disable(id);
  const sentence = changed ? 'Disabled. What was owed to it is cancelled.' : 'It was disabled already.';
  return asSentence(sentence, { id, state: 'disabled', changed });
}

async function enableWebhook({ webhooks }: CommandContext, id: string) {
  await webhooks.enable(id);
  return asSentence('Enabled. What happened meanwhile goes out only if it is replayed.', { id, state: 'active' });
}

async function reseal({ sealedSecrets }: CommandContext) {
  const done = await sealedSecrets.reseal();
  if (done.unopened > 0) process.exitCode = 1;
  const problem = `${done.unopened} could not be opened: their key is not in SECRETS_KEY.`;
  return asSentence(`Resealed ${done.resealed}. ${done.unopened > 0 ? problem : ''}`.trim(), { ...done });
}

function webhookSummaryRow({ id, account, event, url, state, disabledReason: reason, owed }: OperatorWebhook): Row {
  return { id, account, event, url: url.length > 60 ? `${url.slice(0, 59)}…` : url, state, reason, owed };
}

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
