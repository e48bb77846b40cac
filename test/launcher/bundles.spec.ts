import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { MIGRATIONS } from '#libs/database';
import { describe, expect, it, onTestFinished } from 'vitest';
import { PROCESS_FLAGS } from '../../apps/launcher/src/load-program.js';
import { DIST } from '#test/support/app-process.js';
import { deskForFile } from '#test/support/desk-for-file.js';
import { runCli } from '../cli/run.js';

// Tests that start a process run the bundle, the others run the sources. These tests cover the possible differences.
const desk = deskForFile();

describe('a bundle', () => {
  it('has every route of the sources', async () => {
    const api = await desk.apiProcess();
    const text = await (await fetch(`${api.base}/openapi.json`)).text();
    const told = JSON.parse(text.replaceAll(api.base, desk.settings.PUBLIC_URL)) as { paths: object };
    const document = (await desk.anonymous().get('/openapi.json')).body as { paths: object };

    expect(Object.keys(document.paths).length).toBeGreaterThan(50);
    expect(told.paths).toEqual(document.paths);
  });

  it('has every migration of the sources', async () => {
    const name = `empty_${randomBytes(6).toString('hex')}`;
    await desk.sql.query(`create database ${name}`);
    onTestFinished(async () => void (await desk.sql.query(`drop database ${name} with (force)`)));
    const address = new URL(desk.environment['DATABASE_URL']!);
    address.pathname = `/${name}`;
    const { out } = await runCli(['migrate', 'up'], { ...desk.environment, DATABASE_URL: address.href });

    const names = MIGRATIONS.map((migration) => migration.name);
    expect(names.length).toBeGreaterThan(3);
    expect(out.trim()).toBe(`Ran ${names.join(', ')}.`);
  });

  it.each([
    ['api', PROCESS_FLAGS],
    ['worker', PROCESS_FLAGS],
    ['cli', []],
  ])('uses the code cache of its build for the %s, and loads no other package', (name, flags) => {
    const { rejected, loaded } = look(name, flags);

    expect(rejected).toBe(false);
    // Native modules cannot be bundled.
    expect(loaded.filter((file) => !file.includes('node_modules/@node-rs/'))).toEqual([]);
  });
});

interface Look {
  readonly rejected: boolean;
  readonly loaded: string[];
}

function look(name: string, flags: readonly string[]): Look {
  const file = fileURLToPath(new URL(`programs/${name}.cjs`, DIST));
  const script = `
    import { createRequire } from 'node:module';
    import { compileProgram, runProgram } from '${new URL('apps/launcher/src/load-program.js', DIST).href}';
    const script = compileProgram('${file}');
    runProgram('${file}', script);
    const loaded = Object.keys(createRequire('${file}').cache).filter((path) => path.includes('node_modules'));
    console.log(JSON.stringify({ rejected: script.cachedDataRejected, loaded }));
    process.exit(0);`;
  const child = spawnSync(process.execPath, [...flags, '--input-type=module', '-e', script], { encoding: 'utf8' });
  if (child.status !== 0) throw new Error(child.stderr);
  return JSON.parse(child.stdout) as Look;
}
