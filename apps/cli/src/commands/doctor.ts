import { type Finding, worst } from '#libs/doctor';
import { Command } from 'commander';
import { runChecks } from '../doctor/run-checks.js';

const EXIT_UNHEALTHY = 1;

export const doctorCommand = new Command('doctor')
  .description('look at everything an installation needs; a line each, exit code 1 if anything is red')
  .option('--json', 'print JSON')
  .addHelpText(
    'after',
    '\ngreen: well · amber: works, and should be looked at · red: does not work. Example:\n  doctor --json',
  )
  .action(async ({ json }: { json?: boolean }) => {
    const findings = await runChecks();
    const verdict = worst(findings);
    console.log(json ? JSON.stringify({ verdict, findings }, null, 2) : findings.map(findingLine).join('\n'));
    if (verdict === 'red') process.exitCode = EXIT_UNHEALTHY;
  });

const findingLine = ({ verdict, name, words }: Finding): string => `${verdict.padEnd(5)}  ${name.padEnd(12)}  ${words}`;
