import { randomBytes } from 'node:crypto';
import { SETTINGS, readSettings } from '#libs/settings';
import { describe, expect, it } from 'vitest';
import { checkSettings } from './checks.js';

type Environment = Readonly<Record<string, string>>;

/** The settings of docs/operations.md. */
const GOOD: Environment = {
  DATABASE_URL: 'postgres://deskwire:secret@127.0.0.1/deskwire',
  REDIS_URL: 'redis://:secret@redis:6379',
  PUBLIC_URL: 'https://desk.example.com',
  TRUSTED_PROXIES: '127.0.0.1/32',
  SECRETS_KEY: `k1:${randomBytes(32).toString('base64')}`,
  SMTP_URL: 'smtps://user:secret@mail.example.com',
};

const found = (changes: Environment) => checkSettings(readSettings({ ...GOOD, ...changes }));

describe('the doctor', () => {
  it.each([
    ['a good installation', {}],
    ['a developer’s machine', { NODE_ENV: 'development', PUBLIC_URL: '', SMTP_URL: '', REDIS_URL: '' }],
    [
      'a developer’s machine that allows webhooks to itself',
      { NODE_ENV: 'development', PUBLIC_URL: '', WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8' },
    ],
    ['a database in the same network', { DATABASE_URL: 'postgres://deskwire:secret@postgres:5432/deskwire' }],
    [
      'a database in another network, over TLS',
      { DATABASE_URL: 'postgres://u:p@db.example.com/d?sslmode=verify-full' },
    ],
    ['Redis in another network, over TLS', { REDIS_URL: 'rediss://:p@redis.example.com' }],
    ['a mail server that must use TLS', { SMTP_URL: 'smtp://u:p@mail.example.com?requireTLS=true' }],
    ['a mail server in the same network', { SMTP_URL: 'smtp://postfix:25' }],
    ['a bucket', { STORAGE_URL: 's3://key:secret@s3.example.com/bucket' }],
    ['a bucket in the same network', { STORAGE_URL: 's3://key:secret@minio:9000/bucket?tls=false' }],
  ] as [string, Environment][])('judges the settings of %s green', (_name, changes) => {
    expect(found(changes)).toMatchObject([{ verdict: 'green' }]);
  });

  it.each([
    ['red', 'NODE_ENV', { NODE_ENV: 'development', WEBHOOK_REQUIRE_HTTPS: 'true' }],
    ['red', 'NODE_ENV', { NODE_ENV: 'test', WEBHOOK_REQUIRE_HTTPS: 'true' }],
    ['red', 'PUBLIC_URL', { PUBLIC_URL: 'http://desk.example.com' }],
    ['red', 'PUBLIC_URL', { PUBLIC_URL: 'http://192.168.1.4:3000' }],
    ['amber', 'PUBLIC_URL', { PUBLIC_URL: '', HOST: '0.0.0.0' }],
    ['amber', 'TRUSTED_PROXIES', { TRUSTED_PROXIES: '' }],
    ['red', 'TRUSTED_PROXIES', { TRUSTED_PROXIES: '0.0.0.0/0' }],
    ['red', 'TRUSTED_PROXIES', { TRUSTED_PROXIES: '10.0.0.0/8,::/0' }],
    ['amber', 'DATABASE_URL', { DATABASE_URL: 'postgres://u:p@db.example.com/d' }],
    ['amber', 'DATABASE_URL', { DATABASE_URL: 'postgres://u:p@db.example.com/d?sslmode=disable' }],
    ['amber', 'DATABASE_DIRECT_URL', { DATABASE_DIRECT_URL: 'postgres://u:p@203.0.113.5/d' }],
    ['amber', 'REDIS_URL', { REDIS_URL: '' }],
    ['amber', 'REDIS_URL', { REDIS_URL: 'redis://redis:6379' }],
    ['amber', 'REDIS_URL', { REDIS_URL: 'redis://:p@redis.example.com' }],
    ['amber', 'LOG_LEVEL', { LOG_LEVEL: 'silent' }],
    ['amber', 'WEBHOOK_REQUIRE_HTTPS', { WEBHOOK_REQUIRE_HTTPS: 'false' }],
    ['amber', 'WEBHOOK_ALLOWED_NETWORKS', { WEBHOOK_ALLOWED_NETWORKS: '10.1.2.3/32' }],
    ['red', 'WEBHOOK_ALLOWED_NETWORKS', { WEBHOOK_ALLOWED_NETWORKS: '10.1.2.3/32,0.0.0.0/0' }],
    ['red', 'WEBHOOK_ALLOWED_NETWORKS', { WEBHOOK_ALLOWED_NETWORKS: '169.254.0.0/16' }],
    ['red', 'WEBHOOK_ALLOWED_NETWORKS', { WEBHOOK_ALLOWED_NETWORKS: 'fd00::/8' }],
    ['amber', 'MAIL_ALLOWED_NETWORKS', { MAIL_ALLOWED_NETWORKS: '10.1.2.3/32' }],
    ['amber', 'WEBHOOK_PROXY_URL', { WEBHOOK_PROXY_URL: 'http://proxy:3128' }],
    ['amber', 'OPEN_REQUESTS_PER_ADDRESS', { OPEN_REQUESTS_PER_ADDRESS: '100000' }],
    ['amber', 'CONNECTIONS_PER_ADDRESS', { CONNECTIONS_PER_ADDRESS: '100000' }],
    ['amber', 'RATE_LIMIT_PER_MINUTE', { RATE_LIMIT_PER_MINUTE: '1000000' }],
    ['amber', 'ALLOW_QUERY_TOKENS', { ALLOW_QUERY_TOKENS: 'true' }],
    ['amber', 'SMTP_URL', { SMTP_URL: '' }],
    ['amber', 'SMTP_URL', { SMTP_URL: 'smtp://u:p@mail.example.com' }],
    ['amber', 'STORAGE_URL', { STORAGE_URL: 's3://key:secret@s3.example.com/bucket?tls=false' }],
    ['amber', 'RETENTION_DAYS', { RETENTION_DAYS: '2' }],
  ] as [string, string, Environment][])('judges as %s, and names, %s: %j', (verdict, name, changes) => {
    const all = found(changes);

    expect(all).toMatchObject([{ verdict, words: expect.stringMatching(new RegExp(`^${name} `)) }]);
    expect(Object.keys(SETTINGS)).toContain(name);
    expect(JSON.stringify(all)).not.toMatch(/secret|user:|u:p|:p@/);
  });

  it('reports each weak setting on its own line', () => {
    expect(found({ ALLOW_QUERY_TOKENS: 'true', LOG_LEVEL: 'silent' })).toHaveLength(2);
  });
});
