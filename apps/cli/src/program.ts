import { Command } from 'commander';
import { addAccounts } from './commands/accounts.js';
import { addAgents } from './commands/agents.js';
import { addApps } from './commands/apps.js';
import { addDoctor } from './commands/doctor.js';
import { addFirstRun } from './commands/first-run.js';
import { addMigrate } from './commands/migrate.js';
import { addQueue } from './commands/queue.js';
import { addTokens } from './commands/tokens.js';
import { addWebhooks } from './commands/webhooks.js';

/** The operator's commands, each group in its own file. */
export function createProgram(): Command {
  const program = new Command('deskwire')
    .description('The operator’s commands of Deskwire. In a checkout: npm run cli -- <command>')
    .configureHelp({ showGlobalOptions: true })
    .showHelpAfterError('Add --help to see how the command is used.')
    .exitOverride();
  const groups = [
    addMigrate,
    addFirstRun,
    addAccounts,
    addAgents,
    addApps,
    addTokens,
    addWebhooks,
    addQueue,
    addDoctor,
  ];
  for (const add of groups) add(program);
  for (const group of program.commands) inheritExit(group);
  return program;
}

/** Commander does not pass it on to commands of commands. */
function inheritExit(command: Command): void {
  command.exitOverride().showHelpAfterError('Add --help to see how the command is used.');
  for (const inner of command.commands) inheritExit(inner);
}
