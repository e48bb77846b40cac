import fs from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { watchDisk } from './disk-watch.js';

describe('the watch over the data', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it('ends, and says what to do, when the data is taken away', async () => {
    const folder = fs.mkdtempSync(path.join(tmpdir(), 'deskwire-disk-'));
    const said: string[] = [];
    const ended = expect(watchDisk(folder, (sentence) => said.push(sentence))).rejects.toThrow(
      `${folder} is gone, and with it the data: stopping. Put it back, and start again.`,
    );

    vi.advanceTimersByTime(5_000);
    fs.rmSync(folder, { recursive: true });
    vi.advanceTimersByTime(5_000);

    await ended;
    expect(said).toEqual([]);
  });
});
