import fs from 'node:fs';
import path from 'node:path';
import { identifyProcess, isAlive, type ProcessIdentity } from './process-identity.js';
import { UserFacingError } from './terminal.js';

/** One launcher per data directory. A lock whose holder has ended is void. */
export function acquireLock(folder: string): () => void {
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

export function lockHolder(folder: string): ProcessIdentity | undefined {
  const holder = readIdentity(path.join(folder, 'lock'));
  return holder && isAlive(holder) ? holder : undefined;
}

function readIdentity(file: string): ProcessIdentity | undefined {
  try {
    return JSON.parse(fs.readFileSync(file, 'utf8')) as ProcessIdentity;
  } catch {
    // Absent, or truncated by a crash.
    return undefined;
  }
}
