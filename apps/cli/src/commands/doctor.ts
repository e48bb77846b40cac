import { type Finding, worst } from '#libs/doctor';
import type { Command } from 'commander';
import { examine } from '../doctor/examine.js';
import type { OutputOptions } from '../output.js';

const SICK = 1;

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
      const findings = await examine();
      if (options.json) console.log(JSON.stringify({ verdict: worst(findings), findings }, null, 2));
      else console.log(findings.map(line).join('\n'));
      if (worst(findings) === 'red') process.exitCode = SICK;
    });
}

const line = ({ verdict, name, words }: Finding): string => `${verdict.padEnd(5)}  ${name.padEnd(12)}  ${words}`;
