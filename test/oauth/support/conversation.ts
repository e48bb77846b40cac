import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';

export interface Program {
  readonly command: readonly [program: string, ...args: string[]];
  readonly folder: string;
  readonly environment: Readonly<Record<string, string>>;
}

/** What an application says of itself at the end. */
export interface Outcome {
  readonly accessTokens: readonly string[];
  /** Of a request to the API with the last token. */
  readonly status: number;
  readonly email?: string;
}

/** Runs an application that prints an address for a person, and reads the one they came back to. */
export async function converse(program: Program, answer: (address: URL) => Promise<URL>): Promise<Outcome> {
  const [command, ...args] = program.command;
  const env = { ...process.env, ...program.environment };
  const child = spawn(command, args, { cwd: program.folder, env, stdio: 'pipe' });
  let errors = '';
  child.stderr.on('data', (chunk: Buffer) => (errors += chunk.toString()));
  child.stdin.on('error', () => undefined);
  const ended = new Promise<number | null>((resolve, reject) => {
    child.once('error', reject).once('close', resolve);
  });
  let outcome: Outcome | undefined;
  for await (const line of createInterface({ input: child.stdout })) {
    if (line.startsWith('http')) child.stdin.write(`${(await answer(new URL(line))).href}\n`);
    if (line.startsWith('{')) outcome = JSON.parse(line) as Outcome;
  }
  const code = await ended;
  if (code !== 0 || !outcome) throw new Error(`${program.command.join(' ')} ended with ${code}: ${errors}`);
  return outcome;
}
