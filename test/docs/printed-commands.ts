import { readFileSync } from 'node:fs';
import type { Command } from 'commander';
import { createProgram } from '../../apps/cli/src/start.js';

/** Returns the words of each command line of a script. Supports quotes, continued lines, `;` and `&&`. */
export function commandLines(script: string): string[][] {
  return script
    .replaceAll(/\\\n/g, ' ')
    .split(/\n|;|&&/)
    .map((line) => [...line.replace(/(^|\s)#.*/, '').matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)])
    .map((words) => words.map(([, double, single, plain]) => double ?? single ?? plain ?? ''))
    .filter((words) => words.length > 0);
}

/** Returns the arguments of our command line: those after `dist/cli.js`, or after `deskwire` if that is the program. */
export function operatorWords(words: readonly string[]): string[] | undefined {
  const program = words.find((word) => word !== 'sudo');
  const at = program === 'deskwire' ? words.indexOf('deskwire') : words.indexOf('dist/cli.js');
  const given = words.slice(at + 1);
  return at < 0 || given[0] === '$@' ? undefined : given;
}

/** Throws if our command line does not accept the words. */
export function checkUsage(words: readonly string[] | undefined): void {
  if (words === undefined) return;
  const program = createProgram();
  let command: Command = program;
  const rest = [...words];
  for (;;) {
    const inner = command.commands.find((one) => one.name() === rest[0]);
    if (!inner) break;
    command = inner;
    rest.shift();
  }
  if (command === program || command.commands.length > 0) throw new Error(`there is no command ${words.join(' ')}`);
  const { operands, unknown } = command.configureOutput({ writeErr: () => undefined }).parseOptions(rest);
  const { registeredArguments: known, options } = command;
  const most = known.some(({ variadic }) => variadic) ? Infinity : known.length;
  const least = known.filter(({ required }) => required).length;
  const missing = options.find(({ mandatory, long }) => mandatory && !rest.includes(long ?? ''));
  if (unknown.length > 0) throw new Error(`${command.name()} does not take ${unknown.join(' ')}`);
  if (missing) throw new Error(`${command.name()} needs ${missing.long}`);
  if (operands.length > most || operands.length < least)
    throw new Error(`${command.name()} takes ${least} to ${most} arguments, not ${operands.length}`);
}

/** Commands in the last column of the table of docs/operations.md whose first heading is `to`. */
export function tableCommands(): string[][] {
  const page = readFileSync('docs/operations.md', 'utf8');
  const table = /^\| to +\| run .*\n\|.*\n((?:\|.*\n)+)/m.exec(page)?.[1] ?? '';
  const cells = table.split('\n').map((row) => row.split('|')[2] ?? '');
  const codes = cells.flatMap((cell) => [...cell.matchAll(/`([^`]+)`/g)].map(([, code = '']) => code));
  return codes.filter((code) => !code.startsWith('-')).flatMap(commandLines);
}
