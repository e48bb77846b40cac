import { availableParallelism } from 'node:os';
import { expect, it } from 'vitest';
import { availableCores } from './available-cores.js';

const OLD = '/sys/fs/cgroup/cpu/cpu.cfs_';

it.each([
  ['half a core of a container', { '/sys/fs/cgroup/cpu.max': '50000 100000\n' }, 0.5],
  ['a container without a limit', { '/sys/fs/cgroup/cpu.max': 'max 100000\n' }, availableParallelism()],
  ['more than the machine has', { '/sys/fs/cgroup/cpu.max': '99900000 100000\n' }, availableParallelism()],
  ['half a core of an older kernel', { [`${OLD}quota_us`]: '50000\n', [`${OLD}period_us`]: '100000\n' }, 0.5],
  [
    'no limit of an older kernel',
    { [`${OLD}quota_us`]: '-1\n', [`${OLD}period_us`]: '100000\n' },
    availableParallelism(),
  ],
  ['a system without groups', {}, availableParallelism()],
])('respects %s', (_, files: Readonly<Record<string, string>>, cores) => {
  const read = (file: string): string => {
    if (files[file] === undefined) throw new Error('ENOENT');
    return files[file];
  };

  expect(availableCores(read)).toBe(cores);
});
