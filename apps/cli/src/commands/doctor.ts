import { type Finding, worst } from '#libs/doctor';
import { Command } from 'commander';
import { runChecks, runChecksBeforeStart } from '../doctor/run-checks.js';

const EXIT_UNHEALTHY = 1;

export const doctorCommand = new Command('doctor')
  .description('look at everything an installation needs; a line each, exit code 1 if anything is red')
  .option('--before-start', 'leave out the workers, and what waits for them')
  .option('--json', 'print JSON')
  .addHelpText(
    'after',
    '\ngreen: well · amber: works, and should be looked at · red: does not work. Examples:\n  doctor --json\n  doctor --before-start   after `migrate up`, or after a backup was put back',
  )
  .action(async ({ json, beforeStart }: { json?: boolean; beforeStart?: boolean }) => {
    const findings = await (beforeStart ? runChecksBeforeStart() : runChecks());
    const verdict = worst(findings);
    console.log(json ? JSON.stringify({ verdict, findings }, null, 2) : findings.map(findingLine).join('\n'));
    if (verdict === 'red') process.exitCode = EXIT_UNHEALTHY;
  });

const findingLine = ({ verdict, name, words }: Finding): string => `${verdict.padEnd(5)}  ${name.padEnd(12)}  ${words}`;
