// @module-tag long
import fs from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { isAlive } from '../../apps/launcher/src/process-registry.js';
import { eventually } from '#test/support/eventually.js';
import { Launched, ROOT, processesOf } from './launched.js';
import { type StandInProject, standInProject } from './stand-in-project.js';

interface Apps {
  readonly api: number;
  readonly worker: number;
}

let project: StandInProject;
let launched: Launched | undefined;

beforeEach(async () => {
  project = await standInProject();
  fs.symlinkSync(path.join(ROOT, 'node_modules'), path.join(project.folder, 'node_modules'));
  const compilerOptions = { outDir: 'dist', rootDir: '.', module: 'nodenext', types: [], incremental: true };
  write('tsconfig.json', JSON.stringify({ compilerOptions, include: ['apps'], exclude: ['apps/*/src/main.ts'] }));
  // The stand-ins are programs already; without a source they would count as orphaned output.
  for (const app of ['api', 'cli', 'worker']) write(`apps/${app}/src/main.ts`, '');
  write('apps/api/src/answer.ts', 'export const answer: number = 41;\n');
  write('apps/api/src/other.ts', 'export {};\n');
  write('apps/api/src/assets/page.css', 'p {}\n');
});
afterEach(async () => {
  await launched?.interrupt();
  project.remove();
});

it(
  'restarts an app under npm run dev when its source or asset changes or disappears, and leaves nothing running',
  { timeout: 180_000 },
  async () => {
    launched = Launched.start(['dev'], project);
    const first = await appsOfFirstBuild();

    write('apps/api/src/answer.ts', 'export const answer: number = 42;\n');
    const second = await appsAfter(first);
    write('apps/api/src/assets/page.css', 'p { margin: 0 }\n');
    const third = await appsAfter(second);
    const output = path.join(project.folder, 'dist/apps/api/src/other.js');
    expect(fs.existsSync(output)).toBe(true);
    fs.rmSync(path.join(project.folder, 'apps/api/src/other.ts'));
    const fourth = await appsAfter(third);

    expect(fs.existsSync(output)).toBe(false);
    expect(new Set([first.worker, second.worker, third.worker, fourth.worker]).size).toBe(1);
    const processes = processesOf(project.dataDir);
    expect(processes.map(({ name }) => name)).toContain('the compiler');
    expect(await launched.interrupt()).toBe(0);
    expect(processes.filter(isAlive)).toEqual([]);
  },
);

it('keeps the apps of npm run dev running while the sources do not compile', { timeout: 180_000 }, async () => {
  launched = Launched.start(['dev'], project);
  const before = await appsOfFirstBuild();

  write('apps/api/src/answer.ts', "export const answer: number = 'many';\n");
  await launched.says('Found 1 error');
  expect(await appsAfter(undefined)).toEqual(before);

  write('apps/api/src/answer.ts', 'export const answer: number = 42;\n');
  await appsAfter(before);
});

/** Compiling is slow on a busy machine. */
const PATIENCE = { withinMs: 60_000 };

/** The first build replaces the stand-in, so the API starts once more. */
async function appsOfFirstBuild(): Promise<Apps> {
  return appsAfter(await appsAfter(undefined));
}

/** Waits for a new API process, and returns both processes. */
function appsAfter(before: Apps | undefined): Promise<Apps> {
  return eventually(() => {
    const pids = Object.fromEntries(processesOf(project.dataDir).map(({ name, pid }) => [name, pid]));
    const { api, worker } = pids;
    if (!api || !worker || api === before?.api) throw new Error('the API has not been started again');
    return { api, worker };
  }, PATIENCE);
}

function write(file: string, text: string): void {
  fs.mkdirSync(path.dirname(path.join(project.folder, file)), { recursive: true });
  fs.writeFileSync(path.join(project.folder, file), text);
}
