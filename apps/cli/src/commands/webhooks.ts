import {
  WEBHOOK_STATES,
  type WebhookState,
  RESPONSE_CLASSES,
  type ResponseClass,
  REPLAY_CHOICES,
  type ReplayChoice,
} from '#libs/entities';
import type { OperatorWebhook, ReplayPreview } from '#libs/webhooks';
import { Option } from 'commander';
import {
  parseWholeNumber,
  command,
  commandGroup,
  parseTime,
  type Row,
  asFields,
  asSentence,
  asTable,
  type Output,
  type CommandContext,
} from '../command.js';
import { setTimeout as delay } from 'node:timers/promises';
import { EVENT_KINDS, type EventKind } from '#libs/payloads';

export const webhookCommands = commandGroup('webhooks', 'webhooks of all accounts', [
  command('list', listWebhooks)
    .description('list webhooks, newest first')
    .option('--account <id or name>', 'only this account')
    .addOption(new Option('--state <state>', 'only webhooks in this state').choices(WEBHOOK_STATES))
    .option('--limit <n>', 'maximum number of webhooks', parseWholeNumber, 100)
    .example('webhooks list --account "Acme Ltd" --state disabled'),
  command('show', showWebhook)
    .description('show one webhook, its state and the number of pending deliveries')
    .argument('<id>')
    .example('webhooks show 01a1fa17-7c00-7000-8000-3f2c6d1e9b40'),
  command('disable', disableWebhook)
    .description('disable a webhook immediately; cancels its pending deliveries and emails the owner and admins')
    .argument('<id>')
    .example('webhooks disable 01a1fa17-7c00-7000-8000-3f2c6d1e9b40'),
  command('enable', enableWebhook)
    .description('enable a webhook; events that it missed can be replayed')
    .argument('<id>')
    .example('webhooks enable 01a1fa17-7c00-7000-8000-3f2c6d1e9b40'),
  command('replay', replay)
    .description('replay deliveries of an account; without --yes, only shows what would be sent')
    .requiredOption('--account <id or name>', 'account of the webhooks')
    .option('--webhook <id>', 'only this webhook')
    .addOption(new Option('--event <kind>', 'only webhooks for this kind of event').choices(Object.keys(EVENT_KINDS)))
    .addOption(new Option('--only <which>', 'deliveries to replay').choices(REPLAY_CHOICES).default('undelivered'))
    .addOption(
      new Option('--last-response <class>', 'only deliveries whose last response was in this class').choices(
        RESPONSE_CLASSES,
      ),
    )
    .option('--since <time>', 'created at this time or later, such as 2026-01-31T08:00:00Z', parseTime)
    .option('--before <time>', 'created before this time', parseTime)
    .option('--yes', 'replay them and show progress')
    .example('webhooks replay --account "Acme Ltd" --last-response 5xx --yes', 'Example, after fixing a receiver:'),
  command('reseal', reseal)
    .description('re-encrypt all secrets with the first key in SECRETS_KEY, so you can remove the older keys')
    .example('webhooks reseal', 'Example, after putting a new key first and restarting all processes:'),
]);

type ListOptions = Readonly<{ account?: string; state?: WebhookState; limit: number }>;

async function listWebhooks({ accounts, webhooks }: CommandContext, { account, state, limit }: ListOptions) {
  const accountId = account === undefined ? undefined : (await accounts.find(account)).id;
  const found = await webhooks.list({ accountId, state, limit });
  return { ...asTable(found.map(webhookSummaryRow), 'No webhook matches.'), data: found.map(webhookRow) };
}

async function showWebhook({ webhooks }: CommandContext, id: string) {
  return asFields(webhookRow(await webhooks.show(id)));
}

async function disableWebhook({ webhooks }: CommandContext, id: string) {
  const changed = await webhooks.disable(id);
  const sentence = changed ? 'Disabled. Its pending deliveries were cancelled.' : 'It was already disabled.';
  return asSentence(sentence, { id, state: 'disabled', changed });
}

async function enableWebhook({ webhooks }: CommandContext, id: string) {
  await webhooks.enable(id);
  return asSentence('Enabled. Replay it to send the events that it missed.', { id, state: 'active' });
}

async function reseal({ sealedSecrets }: CommandContext) {
  const done = await sealedSecrets.reseal();
  if (done.unopened > 0) process.exitCode = 1;
  const problem = `Could not decrypt ${secrets(done.unopened)}: the key is not in SECRETS_KEY.`;
  return asSentence(`Re-encrypted ${secrets(done.resealed)}. ${done.unopened > 0 ? problem : ''}`.trim(), { ...done });
}

const secrets = (count: number): string => (count === 1 ? '1 secret' : `${count} secrets`);

const webhookSummaryRow = ({ id, account, event, url, state, disabledReason: reason, owed }: OperatorWebhook): Row => ({
  id,
  account,
  event,
  url: url.length > 60 ? `${url.slice(0, 59)}…` : url,
  state,
  reason,
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
  retry_after_until: webhook.retryAfterUntil,
  slow_until: webhook.slowUntil,
  owed: webhook.owed,
  created_at: webhook.createdAt,
});

const POLL_INTERVAL_MS = 500;

interface ReplayOptions {
  readonly account: string;
  readonly webhook?: string;
  readonly event?: EventKind;
  readonly only: ReplayChoice;
  readonly lastResponse?: ResponseClass;
  readonly since?: Date;
  readonly before?: Date;
  readonly yes?: true;
}

async function replay(operator: CommandContext, options: ReplayOptions): Promise<Output> {
  const { id: accountId } = await operator.accounts.find(options.account);
  const webhookId = options.webhook === undefined ? null : (await operator.webhooks.show(options.webhook)).id;
  const { event, only: choice, lastResponse, since, before } = options;
  const wanted = { choice, lastResponse, event, since, before };
  const preview = await operator.replays.preview(accountId, webhookId, wanted);
  if (!options.yes || preview.webhooks.length === 0) return previewed(preview);
  const ids = await operator.replays.start(accountId, webhookId, wanted);
  const sent = await followed(operator, accountId, ids);
  return asSentence(`Deliveries queued again: ${sent}.`, { deliveries: sent, replays: ids });
}

function previewed({ deliveries, capped, oldestAt, webhooks, running }: ReplayPreview): Output {
  const ids = webhooks.map(({ webhookId }) => webhookId);
  const data = { deliveries, capped, running, oldest_at: oldestAt, webhooks: ids };
  if (webhooks.length === 0)
    return asSentence(running > 0 ? 'A replay is already running.' : 'Nothing to replay.', data);
  if (oldestAt === null)
    return asSentence(
      'No match among the newest deliveries. Add --yes to search all of them and replay the matches.',
      data,
    );
  const what = deliveries === 1 && !capped ? '1 delivery' : `${deliveries}${capped ? '+' : ''} deliveries`;
  const where = webhooks.length === 1 ? '1 webhook' : `${webhooks.length} webhooks`;
  return asSentence(
    `Would send ${what} to ${where}, the oldest from ${oldestAt.toISOString()}. Add --yes to send them.`,
    data,
  );
}

/** Waits until all have ended. Progress goes to standard error. */
async function followed({ replays }: CommandContext, accountId: string, ids: readonly string[]): Promise<number> {
  for (let told = ''; ; await delay(POLL_INTERVAL_MS)) {
    const { running, counting, total, redelivered } = await replays.progress(accountId, ids);
    const far = counting > 0 ? `${total} counted` : `${redelivered} of ${total}`;
    if (far !== told) process.stderr.write(`${far}\n`);
    told = far;
    if (running === 0) return redelivered;
  }
}
