import { existsSync, readFileSync } from 'node:fs';
import { SETTINGS } from '#libs/settings';
import { describe, expect, it } from 'vitest';
import { parseDocument } from 'yaml';

interface Service {
  readonly command?: string[];
  readonly environment?: Record<string, unknown>;
  readonly depends_on?: Record<string, { condition: string }>;
  readonly healthcheck?: object;
  readonly ports?: string[];
}

const file = parseDocument(readFileSync('docker-compose.yml', 'utf8'), { merge: true, strict: true });
const { services } = file.toJS() as { services: Record<string, Service> };

describe('docker-compose.yml', () => {
  it('is well-formed YAML', () => {
    expect([...file.errors, ...file.warnings]).toEqual([]);
  });

  it('brings the databases, a migration that runs once, the API and workers', () => {
    expect(Object.keys(services)).toEqual(['postgres', 'redis', 'migrate', 'api', 'worker']);
    for (const name of ['api', 'worker'])
      expect(services[name]?.depends_on?.['migrate']?.condition).toBe('service_completed_successfully');
    for (const name of ['postgres', 'redis', 'api', 'worker']) expect(services[name]?.healthcheck).toBeDefined();
  });

  it('lets workers be scaled: nothing of theirs can exist only once', () => {
    expect(services['worker']).not.toHaveProperty('container_name');
    expect(services['worker']?.ports).toBeUndefined();
  });

  it('keeps the queue durable and never evicts from it', () => {
    const command = services['redis']?.command?.join(' ');

    expect(command).toContain('--appendonly yes');
    expect(command).toContain('--maxmemory-policy noeviction');
  });

  it('sets only settings that exist', () => {
    expect(Object.keys(SETTINGS)).toEqual(expect.arrayContaining(Object.keys(services['api']?.environment ?? {})));
  });
});

describe('the Dockerfile', () => {
  const lines = readFileSync('Dockerfile', 'utf8').split('\n');

  it('copies what is there', () => {
    const copied = lines.flatMap((line) => /^COPY (?!--from)(.*) \S+$/.exec(line)?.[1]?.split(' ') ?? []);

    expect(copied).toContain('apps');
    expect(copied.filter((path) => !existsSync(path))).toEqual([]);
  });

  it('leaves in what npm calls optional and argon2 cannot do without', () => {
    expect(lines.filter((line) => line.includes('--omit=optional'))).toEqual([]);
  });
});
