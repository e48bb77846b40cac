import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readSettings } from './read-settings.js';
import { SECRETS, SETTINGS } from './settings.js';

const DATABASE_URL = 'postgres://desk:hunter2@localhost/deskwire';
const SECRETS_KEY = `k1:${Buffer.from(Array.from({ length: 32 }, (_, index) => index * 7)).toString('base64')}`;

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'deskwire-secrets-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

const fileWith = (name: string, content: string): string => {
  const file = join(folder, name);
  writeFileSync(file, content);
  return file;
};

describe('readSettings with files', () => {
  it('reads secrets from files without the line break at the end', () => {
    const settings = readSettings({
      DATABASE_URL_FILE: fileWith('database', `${DATABASE_URL}\n`),
      SECRETS_KEY_FILE: fileWith('key', `${SECRETS_KEY}\r\n`),
    });

    expect(settings).toMatchObject({ DATABASE_URL, DATABASE_DIRECT_URL: DATABASE_URL });
    expect(settings.SECRETS_KEY[0]?.id).toBe('k1');
  });

  it.each([
    ['a file that is missing', () => ({ METRICS_TOKEN_FILE: '/does/not/exist' }), 'cannot be read (ENOENT)'],
    ['a folder', () => ({ METRICS_TOKEN_FILE: folder }), 'cannot be read (EISDIR)'],
    ['an empty file', () => ({ METRICS_TOKEN_FILE: fileWith('empty', '\n') }), 'names an empty file'],
    ['a huge file', () => ({ METRICS_TOKEN_FILE: fileWith('huge', 'x'.repeat(70_000)) }), 'of at most 65536 bytes'],
    [
      'a setting that has a value too',
      () => ({ METRICS_TOKEN: 'hunter2', METRICS_TOKEN_FILE: fileWith('token', 'hunter2') }),
      'cannot be set together with the setting itself',
    ],
  ])('refuses %s, together with every other fault and without a value', (_what, environment, sentence) => {
    const attempt = () => readSettings({ DATABASE_URL, SECRETS_KEY, PORT: 'x', ...environment() });

    expect(attempt).toThrow(new RegExp(`METRICS_TOKEN_FILE .*${sentence.replaceAll(/[()]/g, String.raw`\$&`)}`));
    expect(attempt).toThrow(/^ {2}- PORT must/m);
    expect(attempt).not.toThrow(/hunter2/);
  });

  it('reads only settings that exist from files', () => {
    expect(Object.keys(SETTINGS)).toEqual(expect.arrayContaining([...SECRETS]));
  });
});
