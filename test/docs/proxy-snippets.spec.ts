import { spawnSync } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { freePort } from '../../apps/launcher/src/ports.js';
import { PROXIES, proxyProgram } from '../operations/proxy-programs.js';
import { SNIPPETS } from './operator-pages.js';

const folder = mkdtempSync(path.join(tmpdir(), 'proxies-'));

const programs = Object.entries(PROXIES).map(([name, kind]) => ({ name, kind, program: proxyProgram(kind, false) }));

describe.each(programs)('the printed configuration of $name', ({ name, kind, program }) => {
  it('contains the parts that a test replaces', async () => {
    const ports = { http: await freePort(), https: await freePort(), api: await freePort() };

    expect(() => kind.setUp(path.join(folder, `${name}-parts`), ports)).not.toThrow();
  });

  it.skipIf(!program)(`passes the check of ${name} (skipped where it is missing)`, async () => {
    const ports = { http: await freePort(), https: await freePort(), api: await freePort() };
    const { check } = kind.setUp(path.join(folder, name), ports);
    const [file = '', ...words] = program!;
    const environment = { ...process.env, HOME: folder };

    expect(spawnSync(file, [...words, ...check], { encoding: 'utf8', env: environment })).toMatchObject({ status: 0 });
  });
});

it.skipIf(!programs[1]!.program)('passes the check of HAProxy for Patroni (skipped where it is missing)', () => {
  const { text } = SNIPPETS.find((one) => one.language === 'haproxy' && one.text.startsWith('listen postgres'))!;
  const file = path.join(folder, 'patroni.cfg');
  writeFileSync(file, text);
  const [program = '', ...words] = programs[1]!.program!;

  expect(spawnSync(program, [...words, '-c', '-f', file], { encoding: 'utf8' })).toMatchObject({ status: 0 });
});
