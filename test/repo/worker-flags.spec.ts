import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { WORKER_FLAGS } from '../../apps/launcher/src/worker-flags.js';

const START = ['node', ...WORKER_FLAGS, 'dist/worker.js'];

describe('a worker gets the flags that the launcher gives it', () => {
  it('from docker-compose.yml', () => {
    const { services } = parse(readFileSync('docker-compose.yml', 'utf8')) as {
      services: { worker: { command: string[] } };
    };

    expect(services.worker.command).toEqual(START);
  });

  it('from the unit in docs/operations.md, which says what each does', () => {
    const page = readFileSync('docs/operations.md', 'utf8');

    expect(page).toContain(`ExecStart=/usr/bin/${START.join(' ')}\n`);
    for (const flag of WORKER_FLAGS) expect(page).toContain(`\`${flag}\``);
  });
});
