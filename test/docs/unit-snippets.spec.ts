import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { snippetFor, snippetsIn } from './operator-pages.js';

const UNITS = '/etc/systemd/system/';
/** An instance, as the page enables it. */
const SERVICES = ['deskwire-api.service', 'deskwire-worker@1.service'];
/** systemd rates a service that may do everything 10, and one that may do nothing 0. */
const MAX_EXPOSURE = 3;

/** `systemd-analyze security` accepts files since version 250. */
const hasSystemd = Number(/^systemd (\d+)/.exec(analyze(['--version']).stdout)?.[1] ?? 0) >= 250;

const folder = mkdtempSync(path.join(tmpdir(), 'units-'));
beforeAll(() => {
  for (const [, { file = '', text }] of snippetsIn('ini')) {
    if (!file.startsWith(UNITS)) continue;
    const place = path.join(folder, file.slice(UNITS.length));
    mkdirSync(path.dirname(place), { recursive: true });
    writeFileSync(place, text.replaceAll('/usr/bin/node', process.execPath));
  }
});

/** The colon adds the units of the machine, to which the printed ones refer. */
function analyze(words: readonly string[], units = '') {
  const environment = { ...process.env, SYSTEMD_UNIT_PATH: `${units}:` };
  return spawnSync('systemd-analyze', words, { encoding: 'utf8', env: units === '' ? process.env : environment });
}

describe.skipIf(!hasSystemd).each(SERVICES)(
  '%s as printed (skipped where systemd-analyze 250 is missing)',
  (service) => {
    it('passes `systemd-analyze verify`', () => {
      const { status, stderr } = analyze(['verify', service], folder);

      expect([status, stderr.split('\n').filter((line) => line.includes('deskwire'))]).toEqual([0, []]);
    });

    it(`stays below an exposure of ${MAX_EXPOSURE} of 10`, () => {
      const { status, stdout } = analyze(
        ['security', '--offline=true', `--threshold=${MAX_EXPOSURE * 10}`, service],
        folder,
      );

      expect([status, stdout]).toEqual([0, expect.stringContaining(`exposure level for ${service}`)]);
    });
  },
);

describe('the printed units', () => {
  it('gives each worker a port of its own', () => {
    expect(snippetFor(`${UNITS}deskwire-worker@.service`)).toMatch(/^Environment=WORKER_PORT=\d+%i$/m);
  });

  it('has no comment after a value, which systemd would read as part of the value', () => {
    const units = snippetsIn('ini').filter(([, { file = '' }]) => file.startsWith(UNITS));

    expect(units.flatMap(([, { text }]) => text.match(/^[^#\n]+=.*[ \t]#.*$/gm) ?? [])).toEqual([]);
  });
});
