import { setTimeout as delay } from 'node:timers/promises';
import { type BacklogState, makeDue, readWorkerVersions } from '#libs/delivery';
import { parseWholeNumber, command, commandGroup, asFields, asSentence, type CommandContext } from '../command.js';

const POLL_INTERVAL_MS = 1_000;
const PROGRESS_INTERVAL_MS = 5_000;
const EXIT_NOT_EMPTY = 4;

export const queueCommands = commandGroup('queue', 'pending webhook deliveries', [
  command('stats', stats)
    .description('show pending deliveries by state, and the running workers')
    .example('queue stats --json', 'Counts stop at 50,000. Example:'),
  command('drain', drain)
    .description('wait until no delivery is due; exit code 4 after the timeout')
    .option('--all', 'also wait for retries and paused webhooks, which may take days')
    .option('--timeout <seconds>', 'maximum wait; 0 means no limit', parseWholeNumber, 0)
    .example('queue drain --timeout 300', 'Example, before maintenance and with the API stopped:'),
  command('redrive', redrive)
    .description('retry all pending deliveries now; paused webhooks and Retry-After are still respected')
    .option('--account <id or name>', 'only this account')
    .option('--webhook <id>', 'only this webhook')
    .example(
      'queue redrive --account "Acme Ltd"',
      'For deliveries that were given up, replay the webhook instead. Example, after a network outage:',
    ),
]);

async function stats({ backlog, database }: CommandContext) {
  const state = await backlog.read();
  const workers = await readWorkerVersions(database.system());
  return asFields({
    workers: workers.length,
    events_to_relay: state.unrelayed,
    oldest_event_to_relay_seconds: Math.round(state.oldestUnrelayedSeconds),
    ...state.owed,
    longest_wait_of_due_seconds: Math.round(state.oldestDueSeconds),
    oldest_owed_seconds: Math.round(state.oldestOwedSeconds),
  });
}

/** Progress goes to standard error. */
async function drain({ backlog }: CommandContext, { all = false, timeout }: { all?: boolean; timeout: number }) {
  const end = timeout === 0 ? Number.POSITIVE_INFINITY : performance.now() + timeout * 1000;
  let left = remainingIn(await backlog.read(), all);
  for (let toldAt = 0; left > 0 && performance.now() < end; left = remainingIn(await backlog.read(), all)) {
    if (performance.now() - toldAt >= PROGRESS_INTERVAL_MS || toldAt === 0) {
      toldAt = performance.now();
      process.stderr.write(`${left} left\n`);
    }
    await delay(Math.min(POLL_INTERVAL_MS, Math.max(0, end - performance.now())));
  }
  if (left > 0) process.exitCode = EXIT_NOT_EMPTY;
  const nothing = all ? 'No deliveries are left.' : 'No delivery is due.';
  return asSentence(left > 0 ? `Timed out. Deliveries left: ${left}.` : nothing, { drained: left === 0, left });
}

function remainingIn({ unrelayed, owed }: BacklogState, all: boolean): number {
  const { due, queued, waiting, paused, retry_after: retryAfter, slow, ended } = owed;
  const now = unrelayed + due + queued + slow + ended;
  return all ? now + waiting + paused + retryAfter : now;
}

async function redrive(operator: CommandContext, { account, webhook }: { account?: string; webhook?: string }) {
  const accountId = account === undefined ? undefined : (await operator.accounts.find(account)).id;
  const webhookId = webhook === undefined ? undefined : (await operator.webhooks.show(webhook)).id;
  const count = await makeDue(operator.database.system(), { accountId, webhookId }, operator.clock.now());
  return asSentence(`Deliveries due now: ${count}.`, { deliveries: count });
}
