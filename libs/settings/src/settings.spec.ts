import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { InvalidSettings } from './invalid-settings.js';
import { readSettings } from './settings.js';
import { singleHostUrls } from './several-hosts.js';

const DATABASE_URL = 'postgres://localhost/deskwire';
const RANDOM = `k1:${randomBytes(32).toString('base64')}`;
/** What versions before used where no key was set. */
const PUBLISHED = `development:${Buffer.alloc(32, 'deskwire development only').toString('base64')}`;

describe('settings', () => {
  it('take the documented value where a variable is unset or empty', () => {
    const settings = readSettings({ DATABASE_URL, SECRETS_KEY: RANDOM, PORT: '' });

    expect(settings.PORT).toBe(3000);
    expect(settings.PUBLIC_URL).toBe('http://localhost:3000');
    expect(settings.WEBHOOK_RETRY_SCHEDULE).toEqual([5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400]);
  });

  it('derive one from another: links follow the port, LISTEN follows the database', () => {
    const settings = readSettings({ DATABASE_URL, SECRETS_KEY: RANDOM, PORT: '3100' });

    expect(settings.PUBLIC_URL).toBe('http://localhost:3100');
    expect(settings.DATABASE_DIRECT_URL).toBe(DATABASE_URL);
  });

  it('name every wrong variable at once and never show a value', () => {
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
  ])('name %s where %j cannot be', (name, environment) => {
    expect(() => readSettings({ DATABASE_URL, SECRETS_KEY: RANDOM, ...environment })).toThrow(`- ${name} `);
  });

  it('take several hosts in an address of PostgreSQL, and several Sentinels', () => {
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
    it('a key must be given, and the sentence says how', () => {
      expect(() => readSettings({ DATABASE_URL, ...environment })).toThrow(
        /SECRETS_KEY must be set; make one with: node -e "[^"]+"\. Only NODE_ENV=development does without/,
      );
    });

    it('receivers must use https', () => {
      expect(readSettings({ DATABASE_URL, SECRETS_KEY: RANDOM, ...environment }).WEBHOOK_REQUIRE_HTTPS).toBe(true);
    });

    it.each([
      ['the published key', PUBLISHED],
      ['the published key after another', `${RANDOM},${PUBLISHED}`],
      ['zeros', `k1:${Buffer.alloc(32).toString('base64')}`],
      ['a repeated word', `k1:${Buffer.alloc(32, 'secret').toString('base64')}`],
      ['31 bytes', `k1:${randomBytes(31).toString('base64')}`],
      ['33 bytes', `k1:${randomBytes(33).toString('base64')}`],
    ])('%s is no key', (_what, SECRETS_KEY) => {
      expect(() => readSettings({ DATABASE_URL, SECRETS_KEY, ...environment })).toThrow(/SECRETS_KEY must/);
    });
  });

  it('tell two keys apart by their ids', () => {
    expect(() => readSettings({ DATABASE_URL, SECRETS_KEY: `${RANDOM},${RANDOM}` })).toThrow(
      /SECRETS_KEY must give every key an id of its own/,
    );
  });

  it.each([
    [{}],
    [{ HOST: 'localhost' }],
    [{ HOST: '::1', PUBLIC_URL: 'http://[::1]:3000' }],
    [{ HOST: '127.0.0.2', PUBLIC_URL: 'http://127.0.0.2:3000' }],
  ])('are relaxed where development is asked for on a machine of one’s own: %j', (environment) => {
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
  ])('need a strong key in development too where others get in: %j', (environment) => {
    const development = { DATABASE_URL, NODE_ENV: 'development', ...environment };

    expect(() => readSettings(development)).toThrow(
      /SECRETS_KEY must be set, because HOST or PUBLIC_URL lets others in; make one with/,
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
  ])('%s takes %s and refuses %s', (name, good, bad) => {
    expect(() => readSettings({ DATABASE_URL, SECRETS_KEY: RANDOM, [name]: good })).not.toThrow();
    expect(() => readSettings({ DATABASE_URL, SECRETS_KEY: RANDOM, [name]: bad })).toThrow(new RegExp(`${name} must`));
  });
});
