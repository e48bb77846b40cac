import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const MAIN = fileURLToPath(new URL('../../dist/apps/cli/src/main.js', import.meta.url));

export interface Ran {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
  // Read as a script would read it: by name.
  // oxlint-disable-next-line typescript/no-explicit-any
  readonly json: any;
}

/** A command as an operator runs it: a process of its own. */
export const runCli = (args: string[], environment: Readonly<Record<string, string>>, input = ''): Promise<Ran> =>
  new Promise((resolve) => {
    const { PATH = '' } = process.env;
    const child = spawn(process.execPath, [MAIN, ...args], { env: { PATH, ...environment } });
    const said = { out: '', err: '' };
    child.stdout.on('data', (chunk: Buffer) => (said.out += chunk.toString()));
    child.stderr.on('data', (chunk: Buffer) => (said.err += chunk.toString()));
    child.on('close', (code) =>
      resolve({ code, ...said, json: args.includes('--json') && JSON.parse(said.out || '0') }),
    );
    child.stdin.end(input);
  });
