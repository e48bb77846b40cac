import type { Command } from 'commander';
import { firstRun } from '../first-run.js';
import { asOperator } from '../operator.js';

export function addFirstRun(program: Command): void {
  program
    .command('first-run')
    .description('fill an empty installation with a demonstration account and write its credentials to a file')
    .requiredOption('--file <path>', 'where the credentials go (mode 0600)')
    .action(({ file }: { file: string }) =>
      asOperator(async (operator) => {
        const made = await firstRun(operator, file);
        console.log(made ? JSON.stringify(made, null, 2) : 'There is an account already: nothing was done.');
      }),
    );
}
