import fs from 'node:fs';
import path from 'node:path';
import { lockHolder, type WorkDirectory } from './work-directory.js';
import type { Options } from './options.js';
import { UserFacingError, printProgress } from './terminal.js';
import { readJson } from './process-registry.js';

type Running = { pid: number; shared: NodeJS.ProcessEnv };

const RUNNING_FILE = 'running.json';

const SHARED_SETTINGS =
  /^(NODE_ENV|DATABASE_URL|DATABASE_DIRECT_URL|REDIS_URL|SECRETS_KEY|PUBLIC_URL|(WEBHOOK|MAIL)_ALLOWED_NETWORKS)$/;

/** Publishes the addresses and passwords of the running servers to other commands. */
export function publishSettings(home: WorkDirectory, environment: NodeJS.ProcessEnv): void {
  const file = path.join(home.folder, RUNNING_FILE);
  const shared = Object.fromEntries(Object.entries(environment).filter(([name]) => SHARED_SETTINGS.test(name)));
  fs.writeFileSync(file, JSON.stringify({ pid: process.pid, shared }), { mode: 0o600 });
  home.onClose(() => fs.rmSync(file, { force: true }));
}

/** A command uses the servers of a running `npm start`. */
export function joinRunningInstance(options: Options): Options {
  const holder = options.servers === 'persistent' && options.verb !== 'start' ? lockHolder(options.dataDir) : undefined;
  if (!holder) return requireData(options);
  const running = readJson(path.join(options.dataDir, RUNNING_FILE)) as Running | undefined;
  if (running?.pid !== holder.pid)
    throw new UserFacingError('Deskwire is just starting or stopping here: try again in a moment.');
  printProgress(`joining the Deskwire that runs here (process ${holder.pid})`);
  return { ...options, servers: 'joined', environment: { ...options.environment, ...running.shared } };
}

/** Every start creates this key. */
function requireData(options: Options): Options {
  const { dataDir, environment, existing } = options;
  if (!existing || environment['DATABASE_URL'] || fs.existsSync(path.join(dataDir, 'secrets.key'))) return options;
  throw new UserFacingError(
    `No desk was started in ${dataDir}: run \`npm start\` first, or name the folder of yours with DATA_DIR=/its/folder.`,
  );
}
