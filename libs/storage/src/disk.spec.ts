import { mkdirSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { Disk, diskState, readDiskSpace, reserveOf } from './disk.js';

const MIB = 1024 * 1024;
const GIB = 1024 * MIB;

describe('the reserve for the database', () => {
  it.each([
    [420 * MIB, 128 * MIB],
    [4 * GIB, (4 * GIB) / 20],
    [20 * GIB, GIB],
    [2000 * GIB, GIB],
  ])('maps a disk of %i bytes to a reserve of %i bytes', (total, reserve) => {
    expect(reserveOf(total)).toBe(reserve);
  });

  it.each([
    [201, 'ok'],
    [200, 'ok'],
    [199, 'files_refused'],
    [64, 'files_refused'],
    [63, 'full'],
    [-1, 'full'],
  ])('gives a disk of 200 MiB with %i MiB left the state %s', (free, state) => {
    expect(diskState({ freeBytes: free * MIB, reserveBytes: 200 * MIB })).toBe(state);
  });
});

describe('Disk', () => {
  it('reads the space again after the folder was missing', async () => {
    const folder = path.join(mkdtempSync(path.join(tmpdir(), 'disk-')), 'later');
    const disk = new Disk(folder);
    await expect(disk.space()).rejects.toThrow('ENOENT');
    mkdirSync(folder);

    const { reserveBytes } = await readDiskSpace(folder);
    expect(await disk.space()).toEqual({ freeBytes: expect.any(Number), reserveBytes });
  });

  it('subtracts bytes that are about to be written', async () => {
    const disk = new Disk(tmpdir());
    const before = await disk.space();
    disk.note(GIB);

    expect((await disk.space()).freeBytes).toBe(before.freeBytes - GIB);
  });
});
