// @module-tag long
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { ROOT } from './launched.js';

const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: Record<string, string> };
const LAUNCHER = 'node apps/launcher/bootstrap.mjs ';

const help = (words: string) => spawnSync('sh', ['-c', `${LAUNCHER}${words} --help`], { cwd: ROOT, encoding: 'utf8' });

describe('the scripts of package.json', () => {
  it.each(Object.entries(scripts))('run launcher commands with their own help: npm run %s', (name, script) => {
    expect(script.startsWith(LAUNCHER)).toBe(true);
    const { status, stdout } = help(script.slice(LAUNCHER.length));

    expect(status).toBe(0);
    expect(stdout).toMatch(name === 'check' ? /npm test/ : new RegExp(`npm (run )?${name}\\b`));
    expect(stdout).not.toContain('Usage: node apps/launcher/bootstrap.mjs <command>');
  });

  it.each(['cli -- accounts create', 'demo --', 'doctor --'])('start no server: npm run %s --help', (words) => {
    const { status, stdout, stderr } = help(words.replace(' --', ''));

    expect(status).toBe(0);
    expect(stdout + stderr).not.toMatch(/PostgreSQL:|Redis:/);
  });

  it.each(['demo', 'doctor', 'cli accounts list'])('refuse a DATA_DIR in which no desk was started: %s', (words) => {
    const folder = path.join(tmpdir(), `deskwire-without-a-desk-${process.pid}`);
    const { DATABASE_URL: _url, ...environment } = process.env;
    const ran = spawnSync('sh', ['-c', `${LAUNCHER}${words}`], {
      cwd: ROOT,
      encoding: 'utf8',
      env: { ...environment, DATA_DIR: folder },
    });

    expect([ran.status, existsSync(folder)]).toEqual([1, false]);
    expect(ran.stderr + ran.stdout).toContain(`No desk was started in ${folder}: run \`npm start\` first`);
  });

  it('appear in the overview, with every other command of the launcher', () => {
    const { status, stdout } = help('');
    const listed = [...stdout.matchAll(/^ {2}([a-z-]+) {2,}\S/gm)].map(([, name]) => name);

    expect(status).toBe(0);
    expect(listed).toEqual(expect.arrayContaining(Object.keys(scripts).filter((name) => name !== 'check')));
    expect(help('run-ephemeral').stdout).toContain('run-ephemeral --no-redis');
  });
});
