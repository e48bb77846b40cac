import { reportError } from './report-error.js';
import { VERSION } from '#libs/telemetry';
import { Command } from 'commander';
import { accountCommands, agentCommands } from './commands/accounts.js';
import { appCommands, tokenCommands } from './commands/apps.js';
import { doctorCommand } from './commands/doctor.js';
import { firstRunCommand } from './commands/first-run.js';
import { migrateCommands, restoredCommand } from './commands/installation.js';
import { mailCommands } from './commands/mail.js';
import { mailboxCommands } from './commands/mailboxes.js';
import { queueCommands } from './commands/queue.js';
import { webhookCommands } from './commands/webhooks.js';

/** Exit codes: 0 done · 1 refused or failed · 2 wrong usage · 3 (`migrate status`) migrations are pending · 4 (`queue drain`) deliveries remain. */
export async function start(): Promise<void> {
  try {
    await createProgram().parseAsync();
  } catch (error) {
    process.exitCode = reportError(error);
  }
}

const COMMANDS = [
  migrateCommands,
  firstRunCommand,
  accountCommands,
  agentCommands,
  mailboxCommands,
  mailCommands,
  appCommands,
  tokenCommands,
  webhookCommands,
  queueCommands,
  restoredCommand,
  doctorCommand,
];

export function createProgram(): Command {
  const program = new Command('deskwire')
    .description('Commands for operators of Deskwire. In a checkout: npm run cli -- <command>')
    .version(VERSION, '--version', 'print the version')
    .showHelpAfterError('Add --help for usage.')
    .exitOverride();
  for (const one of COMMANDS) program.addCommand(one);
  passOnSettings(program);
  return program;
}

/** Commander does not pass its settings on to commands that were created separately. */
function passOnSettings(command: Command): void {
  for (const inner of command.commands) passOnSettings(inner.copyInheritedSettings(command));
}
