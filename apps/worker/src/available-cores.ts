import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';

/** Cgroup v2, then v1. */
const QUOTAS = [
  { files: ['/sys/fs/cgroup/cpu.max'], none: 'max' },
  { files: ['/sys/fs/cgroup/cpu/cpu.cfs_quota_us', '/sys/fs/cgroup/cpu/cpu.cfs_period_us'], none: '-1' },
];

export function availableCores(read = (file: string): string => readFileSync(file, 'utf8')): number {
  const cores = QUOTAS.flatMap((quota) => coresOf(quota, read) ?? []);
  return Math.min(availableParallelism(), ...cores);
}

function coresOf({ files, none }: (typeof QUOTAS)[number], read: (file: string) => string): number | undefined {
  try {
    const [quota = none, period] = files.flatMap((file) => read(file).trim().split(/\s+/));
    return quota === none ? undefined : Number(quota) / Number(period);
  } catch {
    return undefined;
  }
}
