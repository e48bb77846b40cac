import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { SETTINGS, readSettings } from '#libs/settings';
import { describe, expect, it } from 'vitest';
import { parseDocument } from 'yaml';
import { PROCESS_FLAGS } from '../../apps/launcher/src/load-program.js';

interface Service {
  readonly command?: string[];
  readonly environment?: Record<string, unknown>;
  readonly depends_on?: Record<string, { condition: string }>;
  readonly healthcheck?: object;
  readonly ports?: string[];
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

  it('starts the databases, a migration that runs once, the API and workers', () => {
    expect(Object.keys(services)).toEqual(['postgres', 'redis', 'migrate', 'api', 'worker']);
    for (const name of ['api', 'worker'])
      expect(services[name]?.depends_on?.['migrate']?.condition).toBe('service_completed_successfully');
    for (const name of ['postgres', 'redis', 'api', 'worker']) expect(services[name]?.healthcheck).toBeDefined();
  });

  it('lets workers be scaled', () => {
    expect(services['worker']).not.toHaveProperty('container_name');
    expect(services['worker']?.ports).toBeUndefined();
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

    it('uses the rules of production and a key from .env', () => {
      const settings = readSettings(filled(SECRETS));

      expect(settings).toMatchObject({ NODE_ENV: 'production', WEBHOOK_REQUIRE_HTTPS: true });
      expect(settings.SECRETS_KEY[0]?.id).toBe('k1');
    });

    it.each(Object.keys(SECRETS))('requires %s', (missing) => {
      expect(() => filled({ ...SECRETS, [missing]: '' })).toThrow(missing);
    });
  });

  it('bounds the log of every service', () => {
    const unbounded = Object.keys(services).filter((name) => !services[name]?.logging?.options['max-size']);

    expect(unbounded).toEqual([]);
  });

  it.each(['migrate', 'api', 'worker'])('gives %s no root rights and a read-only file system', (name) => {
    expect(services[name]).toMatchObject({ read_only: true, cap_drop: ['ALL'], tmpfs: ['/tmp'] });
  });

  it('sets only settings that exist', () => {
    expect(Object.keys(SETTINGS)).toEqual(expect.arrayContaining(Object.keys(services['api']?.environment ?? {})));
  });
});

describe('the Dockerfile', () => {
  const lines = readFileSync('Dockerfile', 'utf8').split('\n');

  it('copies existing folders', () => {
    const copied = lines.flatMap((line) => /^COPY (?!--from)(.*) \S+$/.exec(line)?.[1]?.split(' ') ?? []);

    expect(copied).toContain('apps');
    expect(copied.filter((path) => !existsSync(path))).toEqual([]);
  });

  it('requires a key to start', () => {
    const [, set = ''] = /^ENV (.*)$/.exec(lines.find((line) => line.startsWith('ENV ')) ?? '') ?? [];
    const environment = Object.fromEntries(set.split(' ').map((pair) => pair.split('=')));

    expect(environment).toMatchObject({ HOST: '0.0.0.0' });
    expect(() => readSettings({ DATABASE_URL: 'postgres://postgres/x', ...environment })).toThrow(
      'SECRETS_KEY must be set',
    );
  });

  it('runs nothing as root after it has set the user', () => {
    const last = lines.slice(lines.findLastIndex((line) => line.startsWith('FROM ')));
    const user = last.findIndex((line) => line.startsWith('USER '));

    expect(last.slice(user).filter((line) => line.startsWith('RUN '))).toEqual([]);
    expect(last.slice(0, user)).toContain('RUN install -d -o 1000 -g 0 -m 775 .data');
  });

  it('names its user by number, which runAsNonRoot of Kubernetes needs', () => {
    expect(lines.filter((line) => line.startsWith('USER '))).toEqual(['USER 1000']);
  });

  it('excludes secrets, tests and build output from the build context', () => {
    const left = readFileSync('.dockerignore', 'utf8').split('\n');

    expect(left).toEqual(expect.arrayContaining(['.env', '.data', 'dist', 'node_modules', 'test', '**/*.spec.ts']));
  });

  it('installs optional packages, which argon2 needs', () => {
    expect(lines.filter((line) => line.includes('--omit=optional'))).toEqual([]);
  });
});

const startOf = (app: string) => ['node', ...PROCESS_FLAGS, `dist/${app}.js`];

describe('the flags of the launcher', () => {
  it('stand in docker-compose.yml and the Dockerfile', () => {
    expect(services['worker']?.command).toEqual(startOf('worker'));
    expect(services['api']?.command).toBeUndefined();
    const [, command] = /^CMD (.+)$/m.exec(readFileSync('Dockerfile', 'utf8'))!;
    expect(JSON.parse(command!)).toEqual(startOf('api'));
  });

  it('stand in docs/operations.md with an explanation', () => {
    const page = readFileSync('docs/operations.md', 'utf8');

    for (const app of ['api', 'worker']) expect(page).toContain(`ExecStart=/usr/bin/${startOf(app).join(' ')}\n`);
    for (const flag of PROCESS_FLAGS) expect(page).toContain(`\`${flag}\``);
  });
});
