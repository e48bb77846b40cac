import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { PROCESS_FLAGS } from '../../apps/launcher/src/process-flags.js';

const startOf = (app: string) => ['node', ...PROCESS_FLAGS, `dist/${app}.js`];

describe('the API and a worker get the flags that the launcher gives them', () => {
  it('from docker-compose.yml and the Dockerfile', () => {
    const { services } = parse(readFileSync('docker-compose.yml', 'utf8')) as {
      services: { worker: { command: string[] }; api: { command?: string[] } };
    };

    expect(services.worker.command).toEqual(startOf('worker'));
    expect(services.api.command).toBeUndefined();
    const [, command] = /^CMD (.+)$/m.exec(readFileSync('Dockerfile', 'utf8'))!;
    expect(JSON.parse(command!)).toEqual(startOf('api'));
  });

  it('from the units in docs/operations.md, which says what each does', () => {
    const page = readFileSync('docs/operations.md', 'utf8');

    for (const app of ['api', 'worker']) expect(page).toContain(`ExecStart=/usr/bin/${startOf(app).join(' ')}\n`);
    for (const flag of PROCESS_FLAGS) expect(page).toContain(`\`${flag}\``);
  });
});
