import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { SETTINGS, readSettings } from '#libs/settings';
import { describe, expect, it } from 'vitest';
import { parseDocument } from 'yaml';

interface Service {
  readonly command?: string[];
  readonly environment?: Record<string, unknown>;
  readonly depends_on?: Record<string, { condition: string }>;
  readonly healthcheck?: object;
  readonly logging?: { readonly options: Record<string, string> };
}

const file = parseDocument(readFileSync('docker-compose.yml', 'utf8'), { merge: true, strict: true });
const { services } = file.toJS() as { services: Record<string, Service> };

const SECRETS = {
  POSTGRES_PASSWORD: 'p',
  REDIS_PASSWORD: 'r',
  PUBLIC_URL: 'https://desk.example.com',
  SECRETS_KEY: `k1:${randomBytes(32).toString('base64')}`,
};

/** Substitutes variables as `docker compose` does: `:?` requires one, `:-` has a default. */
const interpolate = (text: string, variables: Readonly<Record<string, string>>): string =>
  text.replaceAll(/\$\{(\w+)(?::([?-])([^}]*))?\}/g, (_whole, name: string, kind?: string, rest?: string) => {
    if (!variables[name] && kind === '?') throw new Error(`${name}: ${rest}`);
    return variables[name] || (rest ?? '');
  });

describe('docker-compose.yml', () => {
  it('contains well-formed YAML', () => {
    expect([...file.errors, ...file.warnings]).toEqual([]);
  });

  it('starts the databases, a migration that runs once, the API and any number of workers, with bounded logs', () => {
    expect(Object.keys(services)).toEqual(['postgres', 'redis', 'migrate', 'api', 'worker']);
    for (const name of ['api', 'worker'])
      expect(services[name]?.depends_on?.['migrate']?.condition).toBe('service_completed_successfully');
    for (const name of ['postgres', 'redis', 'api', 'worker']) expect(services[name]?.healthcheck).toBeDefined();
    for (const service of Object.values(services)) expect(service.logging?.options).toHaveProperty('max-size');
    expect(services['worker']).not.toHaveProperty('container_name');
    expect(services['worker']).not.toHaveProperty('ports');
  });

  it('stores the queue on disk and never evicts from it', () => {
    const command = services['redis']?.command?.join(' ');

    expect(command).toContain('--appendonly yes');
    expect(command).toContain('--maxmemory-policy noeviction');
  });

  describe.each(['migrate', 'api', 'worker'])('starts %s', (name) => {
    const environment = services[name]?.environment ?? {};
    const filled = (secrets: Readonly<Record<string, string>>) =>
      Object.fromEntries(Object.entries(environment).map(([key, value]) => [key, interpolate(String(value), secrets)]));

    it('gives it no root rights and a read-only file system', () => {
      expect(services[name]).toMatchObject({ read_only: true, cap_drop: ['ALL'], tmpfs: ['/tmp'] });
    });

    it('uses the rules of production and a key from .env', () => {
      const settings = readSettings(filled(SECRETS));

      expect(settings).toMatchObject({ NODE_ENV: 'production', WEBHOOK_REQUIRE_HTTPS: true });
      expect(settings.SECRETS_KEY[0]?.id).toBe('k1');
    });

    it.each(Object.keys(SECRETS))('requires %s', (missing) => {
      expect(() => filled({ ...SECRETS, [missing]: '' })).toThrow(missing);
    });
  });

  it('sets only settings that exist', () => {
    expect(Object.keys(SETTINGS)).toEqual(expect.arrayContaining(Object.keys(services['api']?.environment ?? {})));
  });
});
