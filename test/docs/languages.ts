import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { fileBlock } from './guide.js';
import type { SignedCase } from './signed-cases.js';

const DRIVERS = fileURLToPath(new URL('drivers', import.meta.url));

/** System folders of interpreters. PATH may lead to tools that only look like interpreters. */
export const DIRECTORIES = ['/usr/bin', '/usr/local/bin', '/bin', '/usr/local/go/bin', '/opt/homebrew/bin'];

export interface Language {
  readonly name: string;
  /** The code of the guide. */
  readonly file: string;
  /** The folder of drivers/ whose main program runs it. */
  readonly driver: string;
  readonly run: readonly [program: string, ...args: string[]];
  /** Succeeds if everything the code needs is installed: some systems split an interpreter into packages. */
  readonly probe: readonly string[];
}

const LANGUAGES: readonly Language[] = [
  {
    name: 'JavaScript',
    file: 'verify.mjs',
    driver: 'javascript',
    run: [process.execPath, 'main.mjs'],
    probe: ['--version'],
  },
  {
    name: 'Python',
    file: 'verify.py',
    driver: 'python',
    run: ['python3', 'main.py'],
    probe: ['-c', 'import hmac, hashlib, json'],
  },
  {
    name: 'Ruby',
    file: 'verify.rb',
    driver: 'ruby',
    run: ['ruby', 'main.rb'],
    probe: ['-ropenssl', '-rjson', '-e', '1'],
  },
  { name: 'Go', file: 'receiver/verify.go', driver: 'go', run: ['go', 'run', '.'], probe: ['version'] },
  {
    name: 'PHP',
    file: 'verify.php',
    driver: 'php',
    run: ['php', 'main.php'],
    probe: ['-r', 'exit(function_exists("hash_hmac") ? 0 : 1);'],
  },
  {
    name: 'Perl',
    file: 'Verify.pm',
    driver: 'perl',
    run: ['perl', 'main.pl'],
    probe: ['-MDigest::SHA', '-MJSON::PP', '-e', '1'],
  },
];

export const LANGUAGE_FILES = LANGUAGES.map(({ file }) => file);

/** The languages of the guide that are installed here. */
export const SPOKEN = LANGUAGES.filter(isHere);

function isHere({ run: [program], probe }: Language): boolean {
  const found = findProgram(program);
  return found !== null && spawnSync(found, probe, { stdio: 'ignore' }).status === 0;
}

export function findProgram(name: string): string | null {
  if (path.isAbsolute(name)) return name;
  return DIRECTORIES.map((directory) => path.join(directory, name)).find((file) => existsSync(file)) ?? null;
}

/** Returns the verdict of the guide's code on each request, saved to a file and called as by a reader. */
export async function verdictsOf(language: Language, cases: readonly SignedCase[]): Promise<boolean[]> {
  const [program, ...args] = language.run;
  return inFolder(async (folder) => {
    cpSync(path.join(DRIVERS, language.driver), folder, { recursive: true });
    save(folder, language.file);
    const requests = cases.map(({ secret, headers, body }) => ({ secret, headers, body: body.toString('base64') }));
    const answer = await run({ program, args, folder, input: JSON.stringify(requests) });
    return JSON.parse(answer) as boolean[];
  });
}

export function save(folder: string, file: string): string {
  const target = path.join(folder, file);
  mkdirSync(path.dirname(target), { recursive: true });
  writeFileSync(target, fileBlock(file));
  return target;
}

export async function inFolder<T>(use: (folder: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(path.join(tmpdir(), 'deskwire-guide-'));
  try {
    return await use(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

export interface Run {
  readonly program: string;
  readonly args: readonly string[];
  readonly folder: string;
  readonly input?: string;
  readonly environment?: Readonly<Record<string, string>>;
}

/** Returns the output of the program, or throws all of it if the program failed. */
export async function run({ program, args, folder, input = '', environment = {} }: Run): Promise<string> {
  // Go builds with the installed toolchain, so that no test waits for a network.
  const env = { ...process.env, GOPROXY: 'off', GOTOOLCHAIN: 'local', GOFLAGS: '', ...environment };
  const child = spawn(findProgram(program) ?? program, args, { cwd: folder, env, stdio: 'pipe' });
  child.stdin.on('error', () => undefined).end(input);
  const said = { out: '', all: '' };
  child.stdout.on('data', (chunk: Buffer) => ((said.out += chunk.toString()), (said.all += chunk.toString())));
  child.stderr.on('data', (chunk: Buffer) => (said.all += chunk.toString()));
  const code = await endOf(child);
  if (code !== 0) throw new Error(`${program} ended with ${code}: ${said.all}`);
  return said.out;
}

function endOf(child: ChildProcess): Promise<number | null> {
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
}
