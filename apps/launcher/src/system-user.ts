import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { UserFacingError, printProgress } from './terminal.js';

/** The account of the servers. PostgreSQL refuses to run as root. */
export type SystemUser = { uid: number; gid: number };

/** As root, an unprivileged account that exists already. Otherwise undefined, the current user. */
export function serverUser(): SystemUser | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const lines = fs.readFileSync('/etc/passwd', 'utf8').split('\n');
  const accounts = lines.map((line) => line.split(':'));
  const found = accounts.find(([name]) => name === 'postgres') ?? accounts.find(([name]) => name === 'nobody');
  if (!found)
    throw new UserFacingError(
      'This is running as root, and there is no account "postgres" or "nobody" for the servers: run as another user, or set DATABASE_URL.',
    );
  return { uid: Number(found[2]), gid: Number(found[3]) };
}

/** The account cannot enter a checkout below a private directory, such as root's home. */
export const canAccess = (place: string, account: SystemUser | undefined): boolean =>
  !account || isTraversable(fs.existsSync(place) ? fs.realpathSync(place) : place, account);

function isTraversable(place: string, account: SystemUser): boolean {
  const stat = fs.statSync(place, { throwIfNoEntry: false });
  const enterable = !stat || !stat.isDirectory() || stat.uid === account.uid || (stat.mode & 0o001) !== 0;
  const parent = path.dirname(place);
  return enterable && (parent === place || isTraversable(parent, account));
}

/** The folder itself, or a copy that the account can enter. A copy is made once for each version and kept. */
export function accessibleCopy(folder: string, version: string, account: SystemUser | undefined): string {
  if (canAccess(folder, account)) return folder;
  const copy = path.join(sharedFolder(`${folder} ${version}`), path.basename(folder));
  if (fs.existsSync(copy)) return copy;
  printProgress(`running as root below a private directory: copying ${path.basename(folder)} to ${copy}`);
  const draft = `${copy}.${process.pid}`;
  fs.cpSync(folder, draft, { recursive: true, verbatimSymlinks: true });
  moveUnlessExists(draft, copy);
  return copy;
}

/** A folder outside of private directories, named after a hash of its origin. */
export function sharedFolder(origin: string): string {
  const name = createHash('sha256').update(origin).digest('hex').slice(0, 12);
  const place = `/var/lib/deskwire-${name}`;
  fs.mkdirSync(place, { recursive: true, mode: 0o755 });
  return place;
}

/** Two commands may prepare the same folder at once: the first one wins, and both use it. */
export function moveUnlessExists(draft: string, place: string): void {
  try {
    fs.renameSync(draft, place);
  } catch {
    fs.rmSync(draft, { recursive: true, force: true });
  }
}

export function chownTo(place: string, account: SystemUser | undefined): void {
  if (account) fs.chownSync(place, account.uid, account.gid);
}

export function makePrivateFolder(folder: string, account: SystemUser | undefined): void {
  fs.mkdirSync(folder, { recursive: true, mode: 0o700 });
  chownTo(folder, account);
}
