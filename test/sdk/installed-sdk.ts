import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);
const TSC = resolve('node_modules/typescript/bin/tsc');
const TYPES = resolve('node_modules/@types');

/** The package as `npm pack` makes it, in a project without anything else. */
export class InstalledSdk {
  private constructor(readonly project: string) {}

  static async pack(): Promise<InstalledSdk> {
    const project = await mkdtemp(join(tmpdir(), 'deskwire-sdk-'));
    const options = ['pack', '--json', '--silent', '--pack-destination', project];
    // Not in the folder of its sources, which other tests read at the same time.
    const built = join(project, 'built');
    await run(process.execPath, [resolve('libs/sdk/build.mjs'), built]);
    const { stdout } = await run('npm', options, { cwd: built });
    const [packed] = JSON.parse(stdout.slice(stdout.indexOf('['))) as [{ filename: string }];
    await writeFile(join(project, 'package.json'), '{"type":"module"}');
    const file = `./${packed.filename}`;
    await run('npm', ['install', '--offline', '--no-audit', '--no-fund', file], { cwd: project });
    return new InstalledSdk(project);
  }

  get folder(): string {
    return join(this.project, 'node_modules/@deskwire/sdk');
  }

  // It is built after the tests are compiled, so they cannot know its types. A program in TypeScript tests those.
  // oxlint-disable-next-line typescript/no-explicit-any
  async load(): Promise<any> {
    return import(/* @vite-ignore */ pathToFileURL(join(this.folder, 'dist/index.js')).href);
  }

  /** Compiles a program against the package, runs it, and returns its output. */
  async runTyped(program: string, words: readonly string[], environment: NodeJS.ProcessEnv = {}): Promise<string> {
    await writeFile(join(this.project, 'program.ts'), program);
    const options = ['--module', 'nodenext', '--target', 'es2022', '--strict', '--types', 'node', '--typeRoots', TYPES];
    await run(process.execPath, [TSC, ...options, 'program.ts'], { cwd: this.project });
    const env = { ...process.env, ...environment };
    return (await run(process.execPath, ['program.js', ...words], { cwd: this.project, env })).stdout;
  }

  /** A program of a guide, unchanged. */
  async runExample(file: string, environment: Readonly<Record<string, string>>, page = 'docs/sdk.md'): Promise<string> {
    const guide = await readFile(page, 'utf8');
    const program = guide.split(`\`\`\`js file=${file}\n`)[1]?.split('\n```')[0];
    if (program === undefined) throw new Error(`${page} has no ${file}`);
    await writeFile(join(this.project, file), program);
    const { PATH = '' } = process.env;
    const options = { cwd: this.project, env: { PATH, ...environment } };
    return (await run(process.execPath, [file], options)).stdout;
  }

  remove(): Promise<void> {
    return rm(this.project, { recursive: true, force: true });
  }
}
