import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { DIST } from '#test/support/app-process.js';

type Environment = Readonly<Record<string, string>>;

export interface Ran {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
  // Tests read it by name, as scripts do.
  // oxlint-disable-next-line typescript/no-explicit-any
  readonly json: any;
}

/** Runs the command line in a separate process, as an operator does. */
export const runCli = (args: string[], environment: Environment, input = ''): Promise<Ran> =>
  runProgram('cli.js', args, environment, input);

export const runDemo = (args: string[], environment: Environment): Promise<Ran> =>
  runProgram('apps/cli/src/demo.js', args, environment);

const runProgram = (file: string, args: string[], environment: Environment, input = ''): Promise<Ran> =>
  new Promise((resolve) => {
    const { PATH = '' } = process.env;
    const child = spawn(process.execPath, [fileURLToPath(new URL(file, DIST)), ...args], {
      env: { PATH, ...environment },
    });
    const said = { out: '', err: '' };
    child.stdout.on('data', (chunk: Buffer) => (said.out += chunk.toString()));
    child.stderr.on('data', (chunk: Buffer) => (said.err += chunk.toString()));
    child.on('close', (code) =>
      resolve({ code, ...said, json: args.includes('--json') && JSON.parse(said.out || '0') }),
    );
    child.stdin.end(input);
  });
