import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { expect, it } from 'vitest';
import { FolderStore } from './folder-store.js';

const store = new FolderStore(mkdtempSync(path.join(tmpdir(), 'store-')));
const KEY = { accountId: 'account', id: 'file' };

it.each([
  [0, 0, '0'],
  [3, 5, '345'],
  [8, 9, '89'],
])('reads the bytes %i to %i of a file, both included', async (first, last, bytes) => {
  await store.save(KEY, Readable.from([Buffer.from('0123456789')]));
  const content = await store.open(KEY, { first, last });

  expect(content && (await text(content))).toBe(bytes);
});
