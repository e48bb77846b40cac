import { readFileSync } from 'node:fs';
import { createPostgresBackend, RedisQueueBackend } from 'bullmq';
import { describe, expect, it } from 'vitest';
import { resilientBackend } from './bullmq-internals.js';

const installed = (file: string): string => readFileSync(`node_modules/bullmq/${file}`, 'utf8');

describe('the installed BullMQ', () => {
  it('has the version whose private parts are used', () => {
    expect(JSON.parse(installed('package.json'))).toMatchObject({ version: '6.7.0' });
  });

  it('takes a job by the script and the keys that the sparing backend wraps', () => {
    const script = installed('dist/esm/commands/moveToActive-11.lua');

    for (const key of ['KEYS[1] wait key', 'KEYS[3] prioritized key', 'KEYS[11] marker key'])
      expect(script).toContain(key);
    expect(RedisQueueBackend.prototype).toHaveProperty('waitForJob');
    expect(RedisQueueBackend.prototype.execCommand.toString()).toMatch(/client\.runCommand\(\w+, args\)/);
  });

  it('remembers a failed start on PostgreSQL, unlike the resilient backend', async () => {
    const config = { connection: { host: '127.0.0.1', port: 1, user: 'nobody', database: 'nothing' } };
    const plain = createPostgresBackend('try', config);
    const resilient = resilientBackend('try', config);
    for (const { connection } of [plain, resilient])
      await expect(connection.waitUntilReady()).rejects.toMatchObject({ code: 'ECONNREFUSED' });

    expect(plain.connection).toMatchObject({ readyPromise: expect.any(Promise), pgModule: expect.anything() });
    expect(resilient.connection).toMatchObject({ readyPromise: undefined });
  });
});
