import path from 'node:path';
import { accessibleCopy, type SystemUser } from '../system-user.js';
import type { LaunchContext } from '../launch-context.js';
import { SERVER_NAMES, findProgramIn, firstRunnable, type RedisProgram } from './program.js';
import { unpackDistributionPackage } from './unpack.js';

interface FoundRedis extends RedisProgram {
  origin: string;
}

const USUAL_FOLDERS = ['/usr/bin', '/usr/local/bin', '/opt/homebrew/bin'];

/** An installed Redis, or the distribution's package unpacked beside the data, or neither. */
export async function findRedis({
  options,
  workDirectory,
  serverUser,
  processes,
}: LaunchContext): Promise<FoundRedis | undefined> {
  const installed = findInstalled(options.environment);
  if (installed) return installed;
  const folder = await unpackDistributionPackage(workDirectory.programs, processes);
  return folder ? findUnpacked(folder, serverUser) : undefined;
}

function findInstalled(environment: NodeJS.ProcessEnv): FoundRedis | undefined {
  const folders = [...(environment['PATH'] ?? '').split(path.delimiter), ...USUAL_FOLDERS];
  const candidates = folders.flatMap((folder) => SERVER_NAMES.map((name) => path.join(folder, name)));
  const program = firstRunnable([environment['REDIS_SERVER'] ?? '', ...candidates], []);
  return program && { ...program, origin: 'installed' };
}

function findUnpacked(folder: string, account: SystemUser | undefined): FoundRedis | undefined {
  const reachable = accessibleCopy(folder, findProgramIn(folder)?.version ?? '', account);
  const program = findProgramIn(reachable);
  return program && { ...program, origin: 'the distribution’s package, unpacked privately' };
}
