import { setTimeout as delay } from 'node:timers/promises';
import type { BacklogState } from '#libs/webhooks';
import type { Command } from 'commander';
import { parseWholeNumber } from '../arguments.js';
import { type CommandContext, withCommandContext } from '../command-context.js';
import { type OutputOptions, type Row, printResult, printRow } from '../output.js';

interface DrainOptions extends OutputOptions {
  readonly all?: boolean;
  readonly timeout: number;
}

interface RedriveOptions extends OutputOptions {
  readonly account?: string;
  readonly webhook?: string;
}

const POLL_INTERVAL_MS = 1_000;
const PROGRESS_INTERVAL_MS = 5_000;
const EXIT_NOT_EMPTY = 4;

export function addQueue(program: Command): void {
  const queue = program.command('queue').description('what is still owed to receivers');
  queue
    .command('stats')
    .description('say how much is owed, what it waits for, and who works on it')
    .option('--json', 'print JSON')
    .addHelpText('after', '\nCounts end at 50,000. Example:\n  queue stats --json')
    .action(async (options: OutputOptions) => printRow(await withCommandContext(stats), options));
  addDrain(queue);
  addRedrive(queue);
}

function addDrain(queue: Command): void {
  queue
    .command('drain')
    .description('wait until nothing is left that could go now; exit code 4 if that takes too long')
    .option('--all', 'wait for retries and paused webhooks as well, which may take days')
    .option('--timeout <seconds>', 'how long to wait; 0 for as long as it takes', parseWholeNumber, 0)
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample, before maintenance and with the API stopped:\n  queue drain --timeout 300')
    .action(drain);
}

function addRedrive(queue: Command): void {
  queue
    .command('redrive')
    .description('make what waits for its next attempt due now; pauses, and rest that receivers asked for, still hold')
    .option('--account <id or name>', 'of this account only')
    .option('--webhook <id>', 'of this webhook only')
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      '\nFor what was given up already, replay the webhook instead. Example, when a network is back:\n  queue redrive --account "Acme Ltd"',
    )
    .action(redrive);
}

async function stats({ backlog }: CommandContext): Promise<Row> {
  const [state, workers] = [await backlog.read(), await backlog.workers()];
  return {
    workers: workers.length,
    events_to_relay: state.unrelayed,
    oldest_event_to_relay_seconds: Math.round(state.oldestUnrelayedSeconds),
    ...state.owed,
    longest_wait_of_due_seconds: Math.round(state.oldestDueSeconds),
    oldest_owed_seconds: Math.round(state.oldestOwedSeconds),
  };
}

function drain({ all = false, timeout, ...options }: DrainOptions): Promise<void> {
  return withCommandContext(async ({ backlog }) => {
    const end = timeout === 0 ? Number.POSITIVE_INFINITY : performance.now() + timeout * 1000;
    let left = remainingIn(await backlog.read(), all);
    for (let toldAt = 0; left > 0 && performance.now() < end; left = remainingIn(await backlog.read(), all)) {
      if (performance.now() - toldAt >= PROGRESS_INTERVAL_MS || toldAt === 0) toldAt = reportProgress(left);
      await delay(Math.min(POLL_INTERVAL_MS, Math.max(0, end - performance.now())));
    }
    if (left > 0) process.exitCode = EXIT_NOT_EMPTY;
    printResult(left > 0 ? `Gave up with ${left} left.` : 'Nothing is left.', { drained: left === 0, left }, options);
  });
}

/** On the standard error, so that the result alone is on the standard output. */
function reportProgress(left: number): number {
  process.stderr.write(`${left} left\n`);
  return performance.now();
}

function remainingIn({ unrelayed, owed }: BacklogState, all: boolean): number {
  const { due, queued, waiting, paused, paced, slow, ended } = owed;
  const now = unrelayed + due + queued + slow + ended;
  return all ? now + waiting + paused + paced : now;
}

async function redrive({ account, webhook, ...options }: RedriveOptions): Promise<void> {
  const count = await withCommandContext(async (operator) => {
    const accountId = account === undefined ? undefined : (await operator.accounts.find(account)).id;
    const webhookId = webhook === undefined ? undefined : (await operator.webhooks.show(webhook)).id;
    return operator.redrive.run({ accountId, webhookId });
  });
  printResult(`${count} deliveries are due now.`, { deliveries: count }, options);
}
