import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { freePort } from '../../apps/launcher/src/ports.js';
import { eventually } from '#test/support/eventually.js';
import { findProgram, run, save } from './languages.js';

interface Program {
  readonly name: string;
  readonly files: readonly string[];
  /** Whether it handles each event once. */
  readonly storesEvents: boolean;
  /** Commands that end, before the receiver starts. */
  readonly prepare?: readonly (readonly [string, ...string[]])[];
  readonly start: (port: number) => readonly [string, ...string[]];
  readonly isHere: () => boolean;
}

/** `PYTHON` may name an interpreter that has FastAPI. */
const PYTHON = process.env['PYTHON'] ?? findProgram('python3') ?? 'python3';
const GO = findProgram('go') ?? 'go';

const succeeds = (program: string, ...words: string[]): boolean =>
  spawnSync(program, words, { stdio: 'ignore' }).status === 0;

/** The receivers in docs/receivers.md that can run here, and that of docs/getting-started.md. */
export const RECEIVERS: readonly Program[] = [
  {
    name: 'Node',
    storesEvents: true,
    files: ['receiver.mjs', 'verify.mjs'],
    start: () => [process.execPath, 'receiver.mjs'],
    isHere: () => true,
  },
  {
    name: 'FastAPI',
    storesEvents: true,
    files: ['fastapi_receiver.py', 'verify.py'],
    start: (port) => [PYTHON, '-m', 'uvicorn', '--port', `${port}`, '--log-level', 'warning', 'fastapi_receiver:app'],
    isHere: () => succeeds(PYTHON, '-c', 'import fastapi, uvicorn'),
  },
  {
    name: 'Go',
    storesEvents: true,
    files: ['main.go', 'receiver/verify.go'],
    prepare: [
      [GO, 'mod', 'init', 'hooks'],
      [GO, 'build', '-o', 'hooks', '.'],
    ],
    start: () => ['./hooks'],
    isHere: () => succeeds(GO, 'version'),
  },
  {
    name: 'Python without packages',
    storesEvents: false,
    files: ['hooks.py'],
    start: () => [PYTHON, 'hooks.py'],
    isHere: () => succeeds(PYTHON, '-c', 'import http.server'),
  },
];

/** A receiver of the guides in a folder of its own. */
export class RunningReceiver {
  private text = '';

  private constructor(
    private readonly child: ChildProcess,
    readonly url: string,
  ) {
    child.stdout?.on('data', (chunk: Buffer) => (this.text += chunk.toString()));
  }

  static async start({ files, prepare = [], start }: Program, secret: string): Promise<RunningReceiver> {
    const folder = mkdtempSync(path.join(tmpdir(), 'deskwire-receiver-'));
    const port = await freePort();
    for (const file of files) save(folder, file);
    for (const [program, ...args] of prepare) await run({ program, args, folder });
    const [program, ...words] = start(port);
    writeFileSync(path.join(folder, 'package.json'), '{"type":"module"}');
    const env = { ...process.env, WEBHOOK_SECRET: secret, PORT: `${port}` };
    const child = spawn(program, words, { cwd: folder, env, stdio: ['ignore', 'pipe', 'ignore'] });
    const receiver = new RunningReceiver(child, `http://127.0.0.1:${port}/hooks`);
    await eventually(() => fetch(receiver.url));
    return receiver;
  }

  /** The printed lines. */
  get lines(): readonly string[] {
    return this.text.split('\n').filter((line) => line !== '');
  }

  stop(): void {
    this.child.kill();
  }
}
