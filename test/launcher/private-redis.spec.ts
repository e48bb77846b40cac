import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';
import { findProgramIn } from '../../apps/launcher/src/redis/program.js';
import { ROOT } from './launched.js';

type Unpack = typeof import('../../apps/launcher/src/redis/program.js');
type Registry = typeof import('../../apps/launcher/src/process-registry.js');

describe('the distribution’s Redis package', () => {
  it('runs without installation where the distribution has one', async () => {
    const { unpackDistributionPackage } = (await built('redis/program.js')) as Unpack;
    const { ProcessRegistry } = (await built('process-registry.js')) as Registry;
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'deskwire-private-redis-'));
    const processes = new ProcessRegistry(folder, []);
    const place = await unpackDistributionPackage(path.join(folder, 'programs'), processes);
    const again = await unpackDistributionPackage(path.join(folder, 'programs'), processes);
    await processes.close();

    expect(place ? findProgramIn(place)?.version : 'none').toMatch(/^(\d+\.\d+|none$)/);
    expect(again).toBe(place);
    expect(fs.readdirSync(path.join(folder, 'programs')).filter((name) => name.includes('draft'))).toEqual([]);
  });
});

/** Compiled, because its watchdog is a separate program. */
const built = (file: string): Promise<unknown> =>
  import(pathToFileURL(path.join(ROOT, 'dist/apps/launcher/src', file)).href);
