import { describe, expect, it } from 'vitest';
import { InvalidSettings, readSettings } from './settings.js';

const DATABASE_URL = 'postgres://localhost/deskwire';

describe('settings', () => {
  it('take the documented value where a variable is unset or empty', () => {
    const settings = readSettings({ DATABASE_URL, PORT: '' });

    expect(settings.PORT).toBe(3000);
    expect(settings.PUBLIC_URL).toBe('http://localhost:3000');
    expect(settings.WEBHOOK_RETRY_SCHEDULE).toEqual([5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400]);
  });

  it('derive one from another: links follow the port, LISTEN follows the database', () => {
    const settings = readSettings({ DATABASE_URL, PORT: '3100' });

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

  it('are stricter in production: sealing keys must be given, receivers must use https', () => {
    const SECRETS_KEY = `k1:${Buffer.alloc(32, 1).toString('base64')}`;

    expect(() => readSettings({ DATABASE_URL, NODE_ENV: 'production' })).toThrow(
      /SECRETS_KEY must be set in production/,
    );
    expect(readSettings({ DATABASE_URL, NODE_ENV: 'production', SECRETS_KEY }).WEBHOOK_REQUIRE_HTTPS).toBe(true);
  });

  it.each([
    ['WEBHOOK_ALLOWED_NETWORKS', '127.0.0.0/8,fd00::/8', '10.0.0.0/33'],
    ['WEBHOOK_RETRY_SCHEDULE', '0.2,5,60', '5,-1'],
    ['EVENT_HEADER_ALIASES', 'X-Other-Event', 'X Other: Event'],
    ['EVENT_HEADER_ALIASES', 'X-Host,Event', 'X-Host,Host'],
    ['EVENT_HEADER_ALIASES', 'x-content', 'Content-Length'],
    ['EVENT_HEADER_ALIASES', 'x-webhook-event', 'Webhook-Signature'],
    ['ALLOW_QUERY_TOKENS', 'true', 'maybe'],
    ['LOG_LEVEL', 'debug', 'loud'],
  ])('%s takes %s and refuses %s', (name, good, bad) => {
    expect(() => readSettings({ DATABASE_URL, [name]: good })).not.toThrow();
    expect(() => readSettings({ DATABASE_URL, [name]: bad })).toThrow(new RegExp(`${name} must`));
  });
});
