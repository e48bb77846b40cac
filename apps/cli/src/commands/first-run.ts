import type { Command } from 'commander';
import { createFirstRunAccount } from '../first-run.js';
import { withCommandContext } from '../command-context.js';

export function addFirstRun(program: Command): void {
  program
    .command('first-run')
    .description('fill an empty installation with a demonstration account and write its credentials to a file')
    .requiredOption('--file <path>', 'where the credentials go (mode 0600)')
    .action(({ file }: { file: string }) =>
      withCommandContext(async (operator) => {
        const made = await createFirstRunAccount(operator, file);
        // Not what was made: the output of a command ends in logs, and the file is where secrets belong.
        console.log(
          made
            ? `Made a demonstration account; ${file} says how to use it.`
            : 'There is an account already: nothing was done.',
        );
      }),
    );
}
