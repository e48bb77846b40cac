import fs from 'node:fs';
import path from 'node:path';
import { withinReach, type Account } from '../account.js';
import type { Ground } from '../ground.js';
import { NAMES, programIn, runningVersion, type RedisProgram } from './program.js';
import { unpackDistributionPackage } from './unpack.js';

export interface FoundRedis extends RedisProgram {
  origin: string;
}

const USUAL_FOLDERS = ['/usr/bin', '/usr/local/bin', '/opt/homebrew/bin'];

/** An installed one, or the distribution's own package unpacked beside the data; nothing where neither is to be had. */
export async function findRedis({ options, home, account, roster }: Ground): Promise<FoundRedis | undefined> {
  const installed = findInstalled(options.environment);
  if (installed) return installed;
  const folder = await unpackDistributionPackage(home.programs, roster);
  return folder ? findUnpacked(folder, account) : undefined;
}

function findInstalled(environment: NodeJS.ProcessEnv): FoundRedis | undefined {
  const folders = [...(environment['PATH'] ?? '').split(path.delimiter), ...USUAL_FOLDERS];
  const candidates = folders.flatMap((folder) => NAMES.map((name) => path.join(folder, name)));
  for (const file of [environment['REDIS_SERVER'], ...candidates]) {
    const version = file && fs.existsSync(file) ? runningVersion(file, []) : undefined;
    if (file && version) return { file, version, origin: 'installed', libraries: [] };
  }
  return undefined;
}

function findUnpacked(folder: string, account: Account | undefined): FoundRedis | undefined {
  const reachable = withinReach(folder, programIn(folder)?.version ?? '', account);
  const program = programIn(reachable);
  return program && { ...program, origin: 'the distribution’s package, unpacked privately' };
}
