import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { crashesIn } from './server-control.js';

const folder = mkdtempSync(path.join(tmpdir(), 'deskwire-crashes-'));

const STARTED = '2026-11-25 14:24:46.120 UTC [16001] LOG:  database system is ready to accept connections';
const CRASHED =
  '2026-11-25 14:25:11.402 UTC [16001] LOG:  client backend (PID 16096) was terminated by signal 11: Segmentation fault';
const RUNNING = ['2026-11-25 14:25:11.402 UTC [16001] DETAIL:  Failed process was running: select a', '\tfrom b'];
const ENDING = '2026-11-25 14:25:11.403 UTC [16001] LOG:  terminating any other active server processes';

function crashesOf(...lines: string[]): string[] {
  const log = path.join(folder, 'postgres.log');
  writeFileSync(log, `${lines.join('\n')}\n`);
  return crashesIn(log);
}

describe('the log of PostgreSQL', () => {
  it('reports a crashed process and what it was doing', () => {
    expect(crashesOf(STARTED, CRASHED, ...RUNNING, ENDING, STARTED)).toEqual([CRASHED, ...RUNNING]);
    expect(crashesOf(STARTED, CRASHED, ENDING)).toEqual([CRASHED]);
  });

  it('reports nothing for a healthy server, a server killed from outside or an empty log', () => {
    expect(crashesOf(STARTED, ...RUNNING)).toEqual([]);
    expect(crashesOf(STARTED, CRASHED.replace('11: Segmentation fault', '9: Killed'), ...RUNNING)).toEqual([]);
    expect([crashesIn(undefined), crashesIn(path.join(folder, 'none.log'))]).toEqual([[], []]);
  });
});
