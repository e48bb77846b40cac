import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { startDesk } from '#test/support/desk.js';
import { NEW_RECORDS } from '#test/support/new-records.js';
import { formOf, postFiles } from '#test/support/upload.js';
import { describeAttachments } from './suite.js';

describeAttachments('a folder', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'attachments-'));
  return {
    url: () => folder,
    files: async () => {
      const entries = await readdir(folder, { recursive: true, withFileTypes: true });
      return entries.filter((entry) => entry.isFile()).map(({ name }) => name);
    },
    mostHeld: 12 * 1024 * 1024,
    stop: () => rm(folder, { recursive: true, force: true }),
  };
});

describe('a folder that cannot be written', () => {
  it('returns 503 and leaves no row', async () => {
    const blocked = await startDesk({ settings: { STORAGE_URL: '/dev/null/attachments' } });
    const answer = await postFiles(
      blocked,
      await NEW_RECORDS.message(blocked),
      formOf([{ name: 'a.txt', bytes: 'a' }]),
    );

    expect([answer.status, answer.body.error]).toEqual([503, 'storage_unavailable']);
    expect((await blocked.sql.query('select from attachments')).rowCount).toBe(0);
    await blocked.stop();
  });
});
