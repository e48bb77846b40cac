// @module-tag long
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { freePort } from '../../apps/launcher/src/ports.js';
import { eventually } from '#test/support/eventually.js';
import { ROOT } from './launched.js';

let folder: string;

beforeEach(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'deskwire-bootstrap-'));
  write('package.json', '{"type":"module"}');
});
afterEach(() => {
  vi.unstubAllEnvs();
  fs.rmSync(folder, { recursive: true });
});

describe('building', () => {
  let build: (root: string) => Promise<void>;

  beforeAll(async () => {
    ({ build } = (await bootstrapFile('build.mjs')) as { build: typeof build });
  });

  beforeEach(() => {
    fs.symlinkSync(path.join(ROOT, 'node_modules'), at('node_modules'));
    fs.cpSync(path.join(ROOT, 'docs'), at('docs'), { recursive: true });
    const compilerOptions = { outDir: 'dist', rootDir: '.', module: 'nodenext', types: [] };
    write('tsconfig.json', JSON.stringify({ compilerOptions, include: ['apps'] }));
    write('package-lock.json', '{}');
    write('vitest.config.ts', '');
    write('apps/one/src/main.ts', 'export const answer = 41;\n');
  });

  it('runs when a source has changed, and only then', async () => {
    await build(folder);
    const stamp = fs.statSync(at('dist/.sources')).mtimeMs;
    write('libs/sdk/dist/index.d.ts', 'export {};\n');
    await build(folder);
    expect(fs.statSync(at('dist/.sources')).mtimeMs).toBe(stamp);

    write('apps/one/src/main.ts', 'export const answer = 42;\n');
    await build(folder);
    expect(fs.readFileSync(at('dist/apps/one/src/main.js'), 'utf8')).toContain('answer = 42');
  });

  it('removes the output of a deleted source', async () => {
    write('apps/one/src/other.ts', 'export {};\n');
    await build(folder);
    expect(fs.existsSync(at('dist/apps/one/src/other.js'))).toBe(true);

    fs.rmSync(at('apps/one/src/other.ts'));
    await build(folder);
    expect(fs.existsSync(at('dist/apps/one/src/other.js'))).toBe(false);
    expect(fs.existsSync(at('dist/apps/one/src/main.js'))).toBe(true);
  });

  it('runs once when two commands start together', async () => {
    await Promise.all([build(folder), build(folder)]);

    expect(fs.existsSync(at('dist/apps/one/src/main.js'))).toBe(true);
    expect(fs.existsSync(at('dist/.building'))).toBe(false);
  });
});

describe('installing', () => {
  let installDependencies: (root: string) => Promise<void>;

  beforeAll(async () => {
    ({ installDependencies } = (await bootstrapFile('install.mjs')) as {
      installDependencies: typeof installDependencies;
    });
  });

  beforeEach(() => {
    lock('1.0.0');
    // Stands in for npm: writes npm’s listing and a mark for each call.
    write(
      'npm.js',
      `import fs from 'node:fs';
       fs.mkdirSync('node_modules', { recursive: true });
       fs.copyFileSync('package-lock.json', 'node_modules/.package-lock.json');
       fs.appendFileSync('calls', process.argv[2] + ' ');`,
    );
    vi.stubEnv('npm_execpath', at('npm.js'));
  });

  it('runs once, and again when the lock has changed', async () => {
    await installDependencies(folder);
    await installDependencies(folder);
    expect(calls()).toBe('ci ');

    lock('1.0.1');
    await installDependencies(folder);
    expect(calls()).toBe('ci ci ');
  });

  it('accepts an installation made by hand', async () => {
    fs.mkdirSync(at('node_modules'));
    fs.copyFileSync(at('package-lock.json'), at('node_modules/.package-lock.json'));
    await installDependencies(folder);

    expect(calls()).toBe('');
  });

  it('ends npm and its children before it ends itself', async () => {
    // Keeps running for a while after a stop signal, as npm does while it writes.
    write(
      'npm.js',
      `import fs from 'node:fs';
       process.on('SIGTERM', () => setTimeout(() => process.exit(0), 300));
       process.on('exit', () => fs.writeFileSync('npm-ended', ''));
       setInterval(() => {}, 1000);
       fs.writeFileSync('npm-began', '');`,
    );
    const file = pathToFileURL(path.join(ROOT, 'apps/launcher/bootstrap/install.mjs')).href;
    const program = `(await import('${file}')).installDependencies(process.cwd()).catch(({ message }) => { console.log(message); process.exit(1); })`;
    const install = spawn(process.execPath, ['--input-type=module', '-e', program], { cwd: folder });
    let said = '';
    install.stdout.on('data', (chunk: Buffer) => (said += chunk.toString()));
    await eventually(() => fs.existsSync(at('npm-began')));
    install.kill('SIGINT');
    const [code] = (await once(install, 'close')) as [number];

    expect([code, fs.existsSync(at('npm-ended'))]).toEqual([1, true]);
    expect(said).toContain('the next command begins it again');
  });

  it('leaves a linked node_modules alone', async () => {
    fs.mkdirSync(at('elsewhere'));
    fs.symlinkSync(at('elsewhere'), at('node_modules'));
    await installDependencies(folder);

    expect(calls()).toBe('');
    expect(fs.readdirSync(at('elsewhere'))).toEqual([]);
  });
});

describe('a .env file', () => {
  it('adds settings that the environment lacks, and reports them by name only', () => {
    write('.env', '# mine\nPORT=4000\nHOST="::1"\n');

    expect(settingsIn()).toEqual({
      settings: { port: '4000', host: '::1' },
      said: 'deskwire: settings of .env: HOST, PORT\n',
    });
    expect(settingsIn({ PORT: '5000' }).settings).toEqual({ port: '5000', host: '::1' });
  });

  it('may be missing, but not a folder', () => {
    expect(settingsIn()).toEqual({ settings: {}, said: '' });
    fs.mkdirSync(at('.env'));
    expect(settingsIn().said).toContain('.env could not be read');
  });
});

describe('a program run through npm', () => {
  it('ends when npm and its shell are killed', async () => {
    const port = await freePort();
    // Some shells replace themselves with their last command; the colon prevents it.
    const shell = spawn('sh', ['-c', `"${process.execPath}" apps/launcher/bootstrap.mjs receiver --port ${port}; :`], {
      cwd: ROOT,
      env: { ...process.env, npm_lifecycle_event: 'receiver' },
      stdio: 'ignore',
    });
    await eventually(() => answers(port), { withinMs: 20_000 });
    shell.kill('SIGKILL');

    expect(await eventually(async () => !(await answers(port)))).toBe(true);
  });
});

function settingsIn(environment: Record<string, string> = {}) {
  const file = pathToFileURL(path.join(ROOT, 'apps/launcher/bootstrap/env-file.mjs')).href;
  const program = `
    const { readEnvFile } = await import('${file}');
    try { readEnvFile(process.cwd()); } catch ({ message }) { console.error(message); }
    console.log(JSON.stringify({ port: process.env.PORT, host: process.env.HOST }));`;
  const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', program], {
    cwd: folder,
    env: environment,
    encoding: 'utf8',
  });
  return { settings: JSON.parse(stdout) as object, said: stderr };
}

const answers = (port: number): Promise<boolean> =>
  fetch(`http://127.0.0.1:${port}`).then(
    () => true,
    () => false,
  );

const bootstrapFile = (name: string): Promise<unknown> =>
  import(pathToFileURL(path.join(ROOT, 'apps/launcher/bootstrap', name)).href);

function at(file: string): string {
  return path.join(folder, file);
}

function write(file: string, text: string): void {
  fs.mkdirSync(path.dirname(at(file)), { recursive: true });
  fs.writeFileSync(at(file), text);
}

function lock(version: string): void {
  const packages = {
    '': {},
    'node_modules/some': { version },
    'node_modules/other-platform': { version, optional: true },
  };
  write('package-lock.json', JSON.stringify({ packages }));
}

function calls(): string {
  return fs.existsSync(at('calls')) ? fs.readFileSync(at('calls'), 'utf8') : '';
}
