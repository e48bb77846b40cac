import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { randomBytes } from 'node:crypto';
import { canAccess, sharedFolder, type SystemUser } from './system-user.js';
import {
  identifyProcess,
  isAlive,
  type ProcessIdentity,
  readJson,
  type ProcessRegistry,
  stopLeftovers,
} from './process-registry.js';
import type { Options } from './options.js';
import { UserFacingError, printProgress } from './terminal.js';

/** State shared by the parts of one run. */
export interface LaunchContext {
  options: Options;
  workDirectory: WorkDirectory;
  serverUser: SystemUser | undefined;
  processes: ProcessRegistry;
}

interface WorkDirectory {
  folder: string;
  /** The servers' data. Elsewhere only if their account cannot enter `folder`. */
  servers: string;
  /** Unpacked programs, shared by all runs of this checkout. */
  programs: string;
  /** Folders to remove at the end. */
  temporary: string[];
  onClose: (undo: () => void) => void;
  close: () => void;
}

const TEMPORARY_PREFIX = 'deskwire-run-';

export async function openWorkDirectory(options: Options, account: SystemUser | undefined): Promise<WorkDirectory> {
  await removeAbandonedRuns();
  const isKept = options.servers === 'persistent';
  const folder = isKept ? makeDataFolder(options.dataDir) : makeTemporaryFolder();
  const release = acquireLock(folder);
  await stopLeftovers(folder);
  const servers = serversFolder(folder, account);
  const undo: (() => void)[] = [];
  const temporary = isKept ? [] : [...new Set([folder, servers])];
  return {
    folder,
    servers,
    programs: path.join(options.dataDir, 'programs'),
    temporary,
    onClose: (step) => undo.push(step),
    close: () => {
      for (const step of undo) step();
      for (const place of temporary) fs.rmSync(place, { recursive: true, force: true });
      release();
    },
  };
}

/** One launcher per data directory. A lock whose holder has ended is void. */
function acquireLock(folder: string): () => void {
  const file = path.join(folder, 'lock');
  const holder = lockHolder(folder);
  if (holder) {
    throw new UserFacingError(
      `${folder} is already in use by process ${holder.pid}: stop that one, or keep the data elsewhere with DATA_DIR=/another/folder.`,
    );
  }
  fs.rmSync(file, { force: true });
  publish(folder, file);
  return () => fs.rmSync(file, { force: true });
}

/** Links a complete file into place: an empty lock would look void. */
function publish(folder: string, file: string): void {
  const draft = `${file}.${process.pid}`;
  fs.writeFileSync(draft, JSON.stringify(identifyProcess(process.pid)));
  try {
    fs.linkSync(draft, file);
  } catch {
    throw new UserFacingError(`Another start has just taken ${folder}.`);
  } finally {
    fs.rmSync(draft, { force: true });
  }
}

function lockHolder(folder: string): ProcessIdentity | undefined {
  const holder = readJson(path.join(folder, 'lock')) as ProcessIdentity | undefined;
  return holder && isAlive(holder) ? holder : undefined;
}

export function logFolder(folder: string): string {
  const logs = path.join(folder, 'logs');
  fs.mkdirSync(logs, { recursive: true });
  return logs;
}

function makeDataFolder(folder: string): string {
  try {
    // The servers' account can enter it; only the owner can list it.
    fs.mkdirSync(folder, { recursive: true, mode: 0o711 });
    fs.accessSync(folder, fs.constants.W_OK);
    return folder;
  } catch (error) {
    throw notWritable(folder, 'DATA_DIR', error);
  }
}

function makeTemporaryFolder(): string {
  try {
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), TEMPORARY_PREFIX));
    // The servers' account must be able to pass through it. Its contents are private.
    fs.chmodSync(folder, 0o711);
    return folder;
  } catch (error) {
    throw notWritable(os.tmpdir(), 'TMPDIR', error);
  }
}

function notWritable(folder: string, setting: string, error: unknown): UserFacingError {
  const { code } = error as NodeJS.ErrnoException;
  return new UserFacingError(
    `Cannot keep data in ${folder} (${code}): make it writable for you, or name another place with ${setting}=/another/folder.`,
  );
}

function serversFolder(folder: string, account: SystemUser | undefined): string {
  if (canAccess(folder, account)) return folder;
  // The name comes from a file in the data directory, so removing that directory resets everything.
  const place = sharedFolder(readOrCreateSecret(path.join(folder, 'place')));
  printProgress(`running as root below a private directory: the servers keep their data in ${place}`);
  return place;
}

/** Removes what a run left behind that was killed together with its watchdog. */
async function removeAbandonedRuns(): Promise<void> {
  const all = fs.existsSync(os.tmpdir()) ? fs.readdirSync(os.tmpdir()) : [];
  const names = all.filter((name) => name.startsWith(TEMPORARY_PREFIX));
  for (const folder of names.map((name) => path.join(os.tmpdir(), name))) {
    const isOurs = fs.statSync(folder, { throwIfNoEntry: false })?.uid === process.getuid?.();
    if (!isOurs || !fs.existsSync(path.join(folder, 'lock')) || lockHolder(folder)) continue;
    await stopLeftovers(folder);
    fs.rmSync(folder, { recursive: true, force: true });
  }
}

/** Created once, then read from its file, which only its owner can open. */
export function readOrCreateSecret(file: string, make = () => randomBytes(24).toString('base64url')): string {
  try {
    fs.writeFileSync(file, make(), { mode: 0o600, flag: 'wx' });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  return fs.readFileSync(file, 'utf8').trim();
}

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
