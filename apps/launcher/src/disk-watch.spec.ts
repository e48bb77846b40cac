import fs from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { watchDisk } from './supervise.js';

describe('the data watch', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it('ends with instructions when the data is removed', async () => {
    const folder = fs.mkdtempSync(path.join(tmpdir(), 'deskwire-disk-'));
    const said: string[] = [];
    const ended = watchDisk(folder, (sentence) => said.push(sentence)).catch((error: Error) => error.message);

    vi.advanceTimersByTime(5_000);
    fs.rmSync(folder, { recursive: true });
    vi.advanceTimersByTime(5_000);

    expect(await ended).toBe(`${folder} is gone, and with it the data: stopping. Put it back, and start again.`);
    expect(said).toEqual([]);
  });
});
