import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { InvalidSettings, readSettings } from './read-settings.js';
import { singleHostUrls } from './value-rules.js';

const DATABASE_URL = 'postgres://localhost/deskwire';
const RANDOM = `k1:${randomBytes(32).toString('base64')}`;
/** The key in the source code. */
const PUBLISHED = `development:${Buffer.alloc(32, 'deskwire development only').toString('base64')}`;

describe('readSettings', () => {
  it('uses the default if a variable is unset or empty', () => {
    const settings = readSettings({ DATABASE_URL, SECRETS_KEY: RANDOM, PORT: '' });

    expect(settings.PORT).toBe(3000);
    expect(settings.PUBLIC_URL).toBe('http://localhost:3000');
    expect(settings.WEBHOOK_RETRY_SCHEDULE).toEqual([5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400]);
  });

  it('derives PUBLIC_URL from the port and DATABASE_DIRECT_URL from DATABASE_URL', () => {
    const settings = readSettings({ DATABASE_URL, SECRETS_KEY: RANDOM, PORT: '3100' });

    expect(settings.PUBLIC_URL).toBe('http://localhost:3100');
    expect(settings.DATABASE_DIRECT_URL).toBe(DATABASE_URL);
  });

  it('names every wrong variable at once and shows no value', () => {
    const secret = 'hunter2';
    const attempt = () =>
      readSettings({ DATABASE_URL: secret, PORT: 'x', SECRETS_KEY: `a:${secret}`, REDIS_URL: `ftp://${secret}` });

    expect(attempt).toThrow(InvalidSettings);
    expect(attempt).toThrow(/DATABASE_URL[^]*REDIS_URL[^]*PORT[^]*SECRETS_KEY/);
    expect(attempt).not.toThrow(new RegExp(secret));
  });

  it.each([
    ['REDIS_CLUSTER', { REDIS_URL: 'redis://one,two' }],
    ['REDIS_URL', { REDIS_CLUSTER: 'true' }],
    ['REDIS_URL', { REDIS_SENTINELS: 'one:26379' }],
    ['REDIS_SENTINELS', { REDIS_URL: 'redis://one', REDIS_SENTINELS: 'one,two', REDIS_CLUSTER: 'yes' }],
    ['REDIS_SENTINELS', { REDIS_URL: 'redis://one', REDIS_SENTINELS: 'one:x' }],
  ])('names %s when it is %j', (name, environment) => {
    expect(() => readSettings({ DATABASE_URL, SECRETS_KEY: RANDOM, ...environment })).toThrow(`- ${name} `);
  });

  it('accepts several hosts in an address of PostgreSQL, and several Sentinels', () => {
    const several = 'postgres://u:p@one:5432,two/desk?target_session_attrs=read-write';
    const redis = { REDIS_URL: 'redis://any', REDIS_SENTINELS: 'one, [::1]:26380' };

    const settings = readSettings({ DATABASE_URL: several, SECRETS_KEY: RANDOM, ...redis });

    expect(singleHostUrls(settings.DATABASE_URL)).toEqual([
      'postgres://u:p@one:5432/desk?target_session_attrs=read-write',
      'postgres://u:p@two/desk?target_session_attrs=read-write',
    ]);
    expect(settings.REDIS_SENTINELS).toEqual([
      { host: 'one', port: 26_379 },
      { host: '::1', port: 26_380 },
    ]);
    expect(() => readSettings({ DATABASE_URL: 'postgres://u:p@one,:x/desk', SECRETS_KEY: RANDOM })).toThrow(
      'DATABASE_URL',
    );
  });

  describe.each([
    ['with nothing set', {}],
    ['with an empty NODE_ENV', { NODE_ENV: '' }],
    ['in production', { NODE_ENV: 'production' }],
  ])('%s', (_name, environment) => {
    it('requires a key and explains how to make one', () => {
      expect(() => readSettings({ DATABASE_URL, ...environment })).toThrow(
        /SECRETS_KEY must be set; make one with: node -e "[^"]+"\. Only NODE_ENV=development needs none/,
      );
    });

    it('requires https of receivers', () => {
      expect(readSettings({ DATABASE_URL, SECRETS_KEY: RANDOM, ...environment }).WEBHOOK_REQUIRE_HTTPS).toBe(true);
    });

    it.each([
      ['the published key', PUBLISHED],
      ['the published key after another', `${RANDOM},${PUBLISHED}`],
      ['zeros', `k1:${Buffer.alloc(32).toString('base64')}`],
      ['a repeated word', `k1:${Buffer.alloc(32, 'secret').toString('base64')}`],
      ['31 bytes', `k1:${randomBytes(31).toString('base64')}`],
      ['33 bytes', `k1:${randomBytes(33).toString('base64')}`],
    ])('rejects %s as a key', (_what, SECRETS_KEY) => {
      expect(() => readSettings({ DATABASE_URL, SECRETS_KEY, ...environment })).toThrow(/SECRETS_KEY must/);
    });
  });

  it('distinguishes keys by their ids', () => {
    expect(() => readSettings({ DATABASE_URL, SECRETS_KEY: `${RANDOM},${RANDOM}` })).toThrow(
      /SECRETS_KEY must give every key its own id/,
    );
  });

  it.each([
    [{}],
    [{ HOST: 'localhost' }],
    [{ HOST: '::1', PUBLIC_URL: 'http://[::1]:3000' }],
    [{ HOST: '127.0.0.2', PUBLIC_URL: 'http://127.0.0.2:3000' }],
  ])('relaxes rules in development if no other machine has access: %j', (environment) => {
    const settings = readSettings({ DATABASE_URL, NODE_ENV: 'development', ...environment });

    expect([settings.WEBHOOK_REQUIRE_HTTPS, settings.SECRETS_KEY.length]).toEqual([false, 1]);
  });

  it.each([
    [{ HOST: '0.0.0.0' }],
    [{ HOST: '::' }],
    [{ HOST: '192.168.1.5' }],
    [{ HOST: 'desk.internal' }],
    [{ PUBLIC_URL: 'https://desk.example.com' }],
    [{ PUBLIC_URL: 'https://localhost:3000' }],
    [{ PUBLIC_URL: 'http://desk.example.com' }],
  ])('requires a strong key in development if other machines have access: %j', (environment) => {
    const development = { DATABASE_URL, NODE_ENV: 'development', ...environment };

    expect(() => readSettings(development)).toThrow(
      /SECRETS_KEY must be set, because HOST or PUBLIC_URL gives other machines access; make one with/,
    );
    expect(() => readSettings({ ...development, SECRETS_KEY: PUBLISHED })).toThrow(/SECRETS_KEY must not contain/);
    expect(() => readSettings({ ...development, SECRETS_KEY: RANDOM })).not.toThrow();
  });

  it.each([
    ['WEBHOOK_ALLOWED_NETWORKS', '127.0.0.0/8,fd00::/8', '10.0.0.0/33'],
    ['MAIL_ALLOWED_NETWORKS', '127.0.0.0/8', '10.0.0.0'],
    ['WEBHOOK_RETRY_SCHEDULE', '0.2,5,60', '5,-1'],
    ['EVENT_HEADER_ALIASES', 'X-Other-Event', 'X Other: Event'],
    ['EVENT_HEADER_ALIASES', 'X-Host,Event', 'X-Host,Host'],
    ['EVENT_HEADER_ALIASES', 'x-content', 'Content-Length'],
    ['EVENT_HEADER_ALIASES', 'x-webhook-event', 'Webhook-Signature'],
    ['ALLOW_QUERY_TOKENS', 'true', 'maybe'],
    ['METRICS_TOKEN', 'kbd-4Zk.9_x~Q+/a=', 'short'],
    ['METRICS_TOKEN', 'sixteen-letters-', 'two words of sixteen'],
    ['LOG_LEVEL', 'debug', 'loud'],
    ['CLIENT_ID_METADATA_HOSTS', 'app.example,xn--bcher-kva.example', 'https://app.example'],
    ['CLIENT_ID_METADATA_HOSTS', '127.0.0.1', 'app.example:8443'],
    ['CLIENT_ID_METADATA_HOSTS', 'localhost', 'App.example'],
    ['CLIENT_ID_METADATA_DOCUMENTS', 'off', 'never'],
  ])('accepts for %s the value %s and rejects %s', (name, good, bad) => {
    expect(() => readSettings({ DATABASE_URL, SECRETS_KEY: RANDOM, [name]: good })).not.toThrow();
    expect(() => readSettings({ DATABASE_URL, SECRETS_KEY: RANDOM, [name]: bad })).toThrow(new RegExp(`${name} must`));
  });
});
