import { Command } from 'commander';
import { type CommandContext, withCommandContext } from './command-context.js';
import type { Output } from './output.js';

/** `given` is what Commander hands over: the argument if there is one, then the options. */
type Work = (operator: CommandContext, ...given: never[]) => Promise<Output>;

/** A command that prints the output of its work. */
export function command(name: string, work: Work): Command {
  const made = new Command(name);
  return made.action(async (...given: unknown[]) => {
    const { text, data } = await withCommandContext((operator) => work(operator, ...(given as never[])));
    console.log(made.opts()['json'] ? JSON.stringify(data, null, 2) : text);
  });
}

/** Commands under one name, each of which can print JSON. */
export function commandGroup(name: string, description: string, commands: readonly Command[]): Command {
  const group = new Command(name).description(description);
  for (const one of commands) group.addCommand(one.option('--json', 'print JSON'));
  return group;
}
