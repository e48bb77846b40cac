import { type Finding, worst } from '#libs/doctor';
import type { Command } from 'commander';
import { runChecks } from '../doctor/run-checks.js';
import type { OutputOptions } from '../output.js';

const EXIT_UNHEALTHY = 1;

export function addDoctor(program: Command): void {
  program
    .command('doctor')
    .description('look at everything an installation needs; a line each, exit code 1 if anything is red')
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      '\ngreen: well · amber: works, and should be looked at · red: does not work. Example:\n  doctor --json',
    )
    .action(async (options: OutputOptions) => {
      const findings = await runChecks();
      if (options.json) console.log(JSON.stringify({ verdict: worst(findings), findings }, null, 2));
      else console.log(findings.map(findingLine).join('\n'));
      if (worst(findings) === 'red') process.exitCode = EXIT_UNHEALTHY;
    });
}

const findingLine = ({ verdict, name, words }: Finding): string => `${verdict.padEnd(5)}  ${name.padEnd(12)}  ${words}`;
