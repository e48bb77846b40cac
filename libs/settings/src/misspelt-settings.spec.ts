import { describe, expect, it } from 'vitest';
import { misspeltSettings } from './misspelt-settings.js';

describe('misspeltSettings', () => {
  it.each([
    ['WORKER_CONCURENCY', 'WORKER_CONCURRENCY'],
    ['WEBHOOK_TIMEOUT', 'WEBHOOK_TIMEOUT_MS'],
    ['DATABASE_URI', 'DATABASE_URL'],
    ['LOGLEVEL', 'LOG_LEVEL'],
    ['MAIL_FORM', 'MAIL_FROM'],
    ['SECRET_KEY_FILE', 'SECRETS_KEY_FILE'],
    ['retention_days', 'RETENTION_DAYS'],
  ])('suggests the correct name for %s: %s', (name, suggestion) => {
    expect(misspeltSettings({ [name]: 'hunter2' })).toEqual([
      `${name} is not a setting and is ignored. Did you mean ${suggestion}?`,
    ]);
  });

  it('ignores settings, secrets in files and variables of other programs', () => {
    const settings = { DATABASE_URL: 'x', SECRETS_KEY_FILE: 'x', LOG_LEVEL: 'x' };
    const others = { HOME: 'x', HOSTNAME: 'x', PATH: 'x', MAIL: 'x', PGDATABASE: 'x', INVOCATION_ID: 'x' };
    const ofKubernetes = { REDIS_PORT: 'x', REDIS_SERVICE_HOST: 'x', WORKER_SERVICE_PORT: 'x', DATABASE_PORT: 'x' };

    expect(misspeltSettings({ ...settings, ...others, ...ofKubernetes })).toEqual([]);
  });
});
