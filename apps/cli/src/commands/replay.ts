import { setTimeout as delay } from 'node:timers/promises';
import { ANSWER_CLASSES, type AnswerClass, REPLAY_CHOICES, type ReplayChoice } from '#libs/entities';
import { EVENT_KINDS, type EventKind } from '#libs/payloads';
import type { ReplayPreview } from '#libs/webhooks';
import { Option } from 'commander';
import { parseTime, command } from '../command.js';
import type { CommandContext } from '../command-context.js';
import { type Output, asSentence } from '../output.js';

const POLL_INTERVAL_MS = 500;

interface ReplayOptions {
  readonly account: string;
  readonly webhook?: string;
  readonly event?: EventKind;
  readonly only: ReplayChoice;
  readonly lastAnswer?: AnswerClass;
  readonly since?: Date;
  readonly before?: Date;
  readonly yes?: true;
}

export const replayCommand = command('replay', replay)
  .description(
    'send deliveries of an account again: says what it would send, and with --yes sends it and shows how far it is',
  )
  .requiredOption('--account <id or name>', 'whose webhooks')
  .option('--webhook <id>', 'of this webhook only')
  .addOption(new Option('--event <kind>', 'of webhooks for this kind of event').choices(Object.keys(EVENT_KINDS)))
  .addOption(new Option('--only <which>', 'which deliveries').choices(REPLAY_CHOICES).default('undelivered'))
  .addOption(new Option('--last-answer <class>', 'only those last answered so').choices(ANSWER_CLASSES))
  .option('--since <time>', 'made then or later, as 2026-01-31T08:00:00Z', parseTime)
  .option('--before <time>', 'made earlier', parseTime)
  .option('--yes', 'send them')
  .example('webhooks replay --account "Acme Ltd" --last-answer 5xx --yes', 'Example, when a receiver is back:');

async function replay(operator: CommandContext, options: ReplayOptions): Promise<Output> {
  const { id: accountId } = await operator.accounts.find(options.account);
  const webhookId = options.webhook === undefined ? null : (await operator.webhooks.show(options.webhook)).id;
  const { event, only: choice, lastAnswer: answer, since, before } = options;
  const wanted = { choice, answer, event, since, before };
  const preview = await operator.replays.preview(accountId, webhookId, wanted);
  if (!options.yes || preview.webhooks.length === 0) return previewed(preview);
  const ids = await operator.replays.start(accountId, webhookId, wanted);
  const sent = await followed(operator, accountId, ids);
  return asSentence(`${sent} deliveries are on their way again.`, { deliveries: sent, replays: ids });
}

function previewed({ deliveries, capped, oldestAt, webhooks, running }: ReplayPreview): Output {
  const ids = webhooks.map(({ webhookId }) => webhookId);
  const data = { deliveries, capped, running, oldest_at: oldestAt, webhooks: ids };
  if (webhooks.length === 0)
    return asSentence(running > 0 ? 'Being replayed already.' : 'Nothing to send again.', data);
  if (oldestAt === null)
    return asSentence(
      'Nothing among the newest deliveries. Add --yes to look at all, and to send what is found.',
      data,
    );
  const many = `${deliveries} deliveries${capped ? ' or more' : ''} to ${webhooks.length} webhooks`;
  return asSentence(`Would send ${many}, the oldest of ${oldestAt.toISOString()}. Add --yes to send them.`, data);
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
