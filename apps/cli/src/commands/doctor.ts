import {
  type Finding,
  worst,
  type CheckResult,
  type QueueInspection,
  examineAttachments,
  examineDisk,
  examineImap,
  examineInstallation,
  examineMail,
  examineQueue,
  examineServers,
  inspectQueue,
  isMigrated,
  checkBacklog,
  checkMailboxes,
  checkSecrets,
  checkSettings,
  checkProcessClocks,
  readClocks,
  toFinding,
  amber,
  errorReason,
  red,
} from '#libs/doctor';
import { Command } from 'commander';
import { InvalidSettings, type Settings, misspeltSettings, readSettings } from '#libs/settings';
import { type CommandContext, withCommandContext } from '../command.js';

const EXIT_UNHEALTHY = 1;

export const doctorCommand = new Command('doctor')
  .description('check the installation; exit code 1 if any check is red')
  .option('--before-start', 'skip the checks on workers and their backlog')
  .option('--json', 'print JSON')
  .addHelpText(
    'after',
    '\ngreen: OK · amber: works, but needs attention · red: does not work. Examples:\n  doctor --json\n  doctor --before-start   after `migrate up`, or after restoring a backup',
  )
  .action(async ({ json, beforeStart }: { json?: boolean; beforeStart?: boolean }) => {
    const findings = await check(beforeStart ? checkStopped : checkRunning);
    const verdict = worst(findings);
    console.log(json ? JSON.stringify({ verdict, findings }, null, 2) : findings.map(findingLine).join('\n'));
    if (verdict === 'red') process.exitCode = EXIT_UNHEALTHY;
  });

const findingLine = ({ verdict, name, words }: Finding): string => `${verdict.padEnd(5)}  ${name.padEnd(12)}  ${words}`;

type DatabaseChecks = (operator: CommandContext, queue: QueueInspection) => Promise<Finding[]>;

/** Runs every check that does not depend on a failed one. */
async function check(ofDatabase: DatabaseChecks): Promise<Finding[]> {
  let settings: Settings;
  try {
    settings = readSettings();
  } catch (error) {
    if (!(error instanceof InvalidSettings)) throw error;
    return error.faults.map((words) => ({ verdict: 'red', name: 'settings', words }));
  }
  const found = [...checkSettings(settings), ...misspeltSettings().map(amber)];
  const first = [...found.map((one) => toFinding('settings', one)), ...(await examineDisk(settings))];
  const queue = await inspectQueue(settings);
  try {
    return [...first, ...(await withCommandContext((operator) => ofDatabase(operator, queue), settings))];
  } catch (error) {
    return [...first, toFinding('database', red(`cannot be reached: ${errorReason(error)}`)), ...examineQueue(queue)];
  }
}

/** Skips workers and their backlog, which are red while nothing runs. */
async function checkStopped(operator: CommandContext, queue: QueueInspection): Promise<Finding[]> {
  const findings = await examineServers(operator, queue);
  if (!isMigrated(findings)) return findings;
  return [...findings, toFinding('secrets', await examineSecrets(operator))];
}

/** Includes host names, which the console does not show. */
async function checkRunning(operator: CommandContext, queue: QueueInspection): Promise<Finding[]> {
  const findings = await examineInstallation(operator, queue, checkBacklog);
  if (!isMigrated(findings)) return findings;
  const clocks = checkProcessClocks(await readClocks(operator.database.system()));
  return [
    ...findings,
    ...clocks.map((found) => toFinding('clocks', found)),
    toFinding('attachments', await examineAttachments(operator.database, operator.settings)),
    toFinding('imap', await examineImap(operator.database)),
    toFinding('mail', await examineMail(operator.database)),
    toFinding('mailboxes', checkMailboxes(await operator.mailboxes.inSignedForm())),
    toFinding('secrets', await examineSecrets(operator)),
  ];
}

const examineSecrets = async ({ sealedSecrets, settings }: CommandContext): Promise<CheckResult> =>
  checkSecrets(await sealedSecrets.byKey(), settings.SECRETS_KEY[0]!.id);
