import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const run = promisify(execFile);
const TSC = resolve('node_modules/typescript/bin/tsc');

const GENERATORS = [
  {
    name: '@hey-api/openapi-ts',
    make: [
      'openapi-ts',
      '-i',
      'openapi.json',
      '-o',
      'made',
      '-p',
      '@hey-api/typescript',
      '@hey-api/sdk',
      '@hey-api/client-fetch',
    ],
  },
  { name: 'orval', make: ['orval', '--input', 'openapi.json', '--output', 'made/api.ts', '--client', 'fetch'] },
];

const CONFIG = {
  compilerOptions: {
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    target: 'es2022',
    lib: ['es2022', 'dom', 'dom.iterable'],
    module: 'esnext',
    moduleResolution: 'bundler',
    types: [],
  },
  include: ['made'],
};

/** With `GENERATORS=full`: each brings hundreds of packages, so none is a dependency. openapi-typescript makes the SDK’s types. */
describe.runIf(process.env['GENERATORS'] === 'full')('A client made by', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'generators-'));
    await writeFile(join(folder, 'package.json'), '{"type":"module"}');
    const packages = GENERATORS.map(({ name }) => name);
    await run('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund', 'typescript@5', ...packages], {
      cwd: folder,
    });
    const print = resolve('dist/apps/api/src/print-openapi.js');
    const { stdout } = await run(process.execPath, [print], { maxBuffer: 64 * 1024 * 1024 });
    await writeFile(join(folder, 'openapi.json'), stdout);
  }, 600_000);
  afterAll(() => rm(folder, { recursive: true, force: true }));

  it.each(GENERATORS)(
    '$name compiles',
    async ({ make }) => {
      await rm(join(folder, 'made'), { recursive: true, force: true });
      await run('npx', make, { cwd: folder });
      await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(CONFIG));

      const { stdout } = await run(process.execPath, [TSC, '-p', folder], { cwd: folder });

      expect(stdout).toBe('');
    },
    300_000,
  );
});
