import fs from 'node:fs';
import path from 'node:path';
import { Redis } from 'ioredis';
import { accessibleCopy, chownTo, makePrivateFolder, type SystemUser } from '../system-user.js';
import { rotateLog } from '../program.js';
import type { ProcessRegistry } from '../process-registry.js';
import { type LaunchContext, readOrCreateSecret } from '../work-directory.js';
import { ManagedServer, type ServerPlace } from '../server.js';
import { unpackDistributionPackage } from './distribution-package.js';
import { SERVER_NAMES, findProgramIn, firstRunnable, libraryEnvironment, type RedisProgram } from './program.js';

interface FoundRedis extends RedisProgram {
  origin: string;
}

const USUAL_FOLDERS = ['/usr/bin', '/usr/local/bin', '/opt/homebrew/bin'];

/** Finds an installed Redis, or unpacks the distribution's package. */
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

export async function startRedis(
  program: RedisProgram,
  place: ServerPlace,
  processes: ProcessRegistry,
): Promise<ManagedServer> {
  const folder = path.join(place.parent, 'redis');
  makePrivateFolder(folder, place.user);
  const password = readOrCreateSecret(path.join(place.parent, 'redis.password'));
  const log = rotateLog(path.join(place.logs, 'redis.log'));
  const configuration = path.join(folder, 'redis.conf');
  return ManagedServer.start(
    {
      program: (port) => {
        writeConfiguration(configuration, redisSettings(place, folder, password, port));
        chownTo(configuration, place.user);
        return {
          name: 'Redis',
          tier: 'queue',
          file: program.file,
          args: [configuration],
          environment: libraryEnvironment(program.libraries),
          user: place.user,
          folder: '/',
          graceMs: 15_000,
          log,
        };
      },
      url: (port) => `redis://:${password}@127.0.0.1:${port}`,
      waitUntilAnswering: (url) => ping(url),
    },
    processes,
  );
}

function redisSettings(place: ServerPlace, folder: string, password: string, port: number): Record<string, string> {
  return {
    bind: '127.0.0.1',
    port: `${port}`,
    requirepass: password,
    dir: `"${folder}"`,
    appendonly: place.durable ? 'yes' : 'no',
    appendfsync: 'everysec',
    save: '""',
    // Redis must refuse writes rather than evict jobs.
    'maxmemory-policy': 'noeviction',
    maxmemory: '1gb',
  };
}

/** A file, because every user of the machine can read the arguments of a process. */
function writeConfiguration(file: string, lines: Record<string, string>): void {
  const text = Object.entries(lines).map(([name, value]) => `${name} ${value}\n`);
  fs.writeFileSync(file, text.join(''), { mode: 0o600 });
}

export async function ping(url: string, signal?: AbortSignal): Promise<void> {
  const client = new Redis(url, { lazyConnect: true, retryStrategy: () => null, maxRetriesPerRequest: 0 });
  let reason: Error | undefined;
  // The rejection below only says that there is no connection.
  client.on('error', (error) => (reason = error));
  signal?.addEventListener('abort', () => client.disconnect());
  try {
    await client.connect();
    await client.ping();
  } catch (error) {
    throw reason ?? error;
  } finally {
    client.disconnect();
  }
}
