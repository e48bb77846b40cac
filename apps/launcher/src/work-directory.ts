import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { canReach, sharedPlace, type Account } from './account.js';
import { lockHolder, takeLock } from './lock.js';
import type { Options } from './options.js';
import { sweep } from './roster.js';
import { Refusal, say } from './say.js';
import { keptSecret } from './secrets.js';

/** Where a launcher keeps its things. */
export interface Home {
  folder: string;
  /** The servers' own data: elsewhere only when their account cannot enter the folder. */
  servers: string;
  /** Programs unpacked for this checkout, shared by all its runs. */
  programs: string;
  /** Folders that end with the run. */
  temporary: string[];
  atEnd: (undo: () => void) => void;
  close: () => void;
}

const PREFIX = 'deskwire-run-';

export async function openHome(options: Options, account: Account | undefined): Promise<Home> {
  await sweepForgottenRuns();
  const folder = options.servers === 'kept' ? makeFolder(options.dataDir) : makeTemporary();
  const release = takeLock(folder);
  await sweep(folder);
  const servers = serversFolder(folder, account);
  const undo: (() => void)[] = [];
  const temporary = options.servers === 'kept' ? [] : [...new Set([folder, servers])];
  return {
    folder,
    servers,
    programs: path.join(options.dataDir, 'programs'),
    temporary,
    atEnd: (step) => undo.push(step),
    close: () => {
      for (const step of undo) step();
      for (const place of temporary) fs.rmSync(place, { recursive: true, force: true });
      release();
    },
  };
}

export function logFolder(folder: string): string {
  const logs = path.join(folder, 'logs');
  fs.mkdirSync(logs, { recursive: true });
  return logs;
}

function makeFolder(folder: string): string {
  try {
    // Enterable for the account of the servers, readable for us alone.
    fs.mkdirSync(folder, { recursive: true, mode: 0o711 });
    fs.accessSync(folder, fs.constants.W_OK);
    return folder;
  } catch (error) {
    throw cannotKeep(folder, 'DATA_DIR', error);
  }
}

function makeTemporary(): string {
  try {
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), PREFIX));
    // The account of the servers passes through it; what is in there is private by itself.
    fs.chmodSync(folder, 0o711);
    return folder;
  } catch (error) {
    throw cannotKeep(os.tmpdir(), 'TMPDIR', error);
  }
}

function cannotKeep(folder: string, setting: string, error: unknown): Refusal {
  const { code } = error as NodeJS.ErrnoException;
  return new Refusal(
    `Cannot keep data in ${folder} (${code}): make it writable for you, or name another place with ${setting}=/another/folder.`,
  );
}

function serversFolder(folder: string, account: Account | undefined): string {
  if (canReach(folder, account)) return folder;
  // Named anew for each data directory: removing that must be enough to begin afresh.
  const place = sharedPlace(keptSecret(path.join(folder, 'place')));
  say(`running as root below a private directory: the servers keep their data in ${place}`);
  return place;
}

/** A run that was killed together with its watchdog has left its folder, and perhaps its servers. */
async function sweepForgottenRuns(): Promise<void> {
  const all = fs.existsSync(os.tmpdir()) ? fs.readdirSync(os.tmpdir()) : [];
  const names = all.filter((name) => name.startsWith(PREFIX));
  for (const folder of names.map((name) => path.join(os.tmpdir(), name))) {
    if (!isOurs(folder) || !fs.existsSync(path.join(folder, 'lock')) || lockHolder(folder)) continue;
    await sweep(folder);
    fs.rmSync(folder, { recursive: true, force: true });
  }
}

function isOurs(folder: string): boolean {
  return fs.statSync(folder, { throwIfNoEntry: false })?.uid === process.getuid?.();
}
