import fs from 'node:fs';
import path from 'node:path';
import { Redis } from 'ioredis';
import { accessibleCopy, chownTo, makePrivateFolder } from '../system-user.js';
import { rotateLog } from '../program.js';
import type { ProcessRegistry } from '../process-registry.js';
import { type LaunchContext, readOrCreateSecret } from '../work-directory.js';
import { ManagedServer, type ServerPlace } from '../server.js';
import {
  type RedisProgram,
  SERVER_NAMES,
  findProgramIn,
  firstRunnable,
  libraryEnvironment,
  unpackDistributionPackage,
} from './program.js';

type FoundRedis = RedisProgram & { origin: string };

const USUAL_FOLDERS = ['/usr/bin', '/usr/local/bin', '/opt/homebrew/bin'];

/** Finds an installed Redis, or unpacks the distribution's package. */
export async function findRedis(context: LaunchContext): Promise<FoundRedis | undefined> {
  const { options, workDirectory, serverUser, processes } = context;
  const { PATH = '', REDIS_SERVER = '' } = options.environment;
  const folders = [...PATH.split(path.delimiter), ...USUAL_FOLDERS];
  const candidates = folders.flatMap((folder) => SERVER_NAMES.map((name) => path.join(folder, name)));
  const installed = firstRunnable([REDIS_SERVER, ...candidates], []);
  if (installed) return { ...installed, origin: 'installed' };
  const folder = await unpackDistributionPackage(workDirectory.programs, processes);
  if (folder === undefined) return undefined;
  const unpacked = findProgramIn(accessibleCopy(folder, findProgramIn(folder)?.version ?? '', serverUser));
  return unpacked && { ...unpacked, origin: 'the distribution’s package, unpacked privately' };
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
        writeConfiguration(configuration, {
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
        });
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
