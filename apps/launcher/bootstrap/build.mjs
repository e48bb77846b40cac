import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { UserFacingError, say } from './say.mjs';

const FOLDERS = ['apps', 'libs', 'test', 'bench'];
const SOURCE = /\.(ts|tsx|mjs|json)$/;
const TYPESCRIPT = /(?<!\.d)\.tsx?$/;
/** `npm pack` writes .ts files that are no sources. */
const PACKED = /^libs[\\/]\w+[\\/]dist[\\/]/;

/** Compiles and bundles if the sources have changed since the last build. Types are checked by `npm run lint`. */
export async function build(root) {
  if (isFresh(root)) return;
  const release = await onlyBuilder(root);
  try {
    // Another command may have finished the same build.
    if (isFresh(root)) return;
    say('building …');
    const wanted = fingerprint(root);
    rmSync(stampOf(root), { force: true });
    compile(root);
    if (runPart(root, 'guides.mjs', '') !== 0) throw new UserFacingError('the guides were not rendered (see above).');
    removeOrphans(root);
    bundle(root);
    writeFileSync(stampOf(root), wanted);
  } finally {
    release();
  }
}

function isFresh(root) {
  return existsSync(stampOf(root)) && readFileSync(stampOf(root), 'utf8') === fingerprint(root);
}

function stampOf(root) {
  return join(root, 'dist/.sources');
}

/** Hashes contents, not times: a clone has new times. */
function fingerprint(root) {
  const hash = createHash('sha256');
  const files = FOLDERS.flatMap((folder) => list(root, folder)).filter(
    (file) => SOURCE.test(file) && !PACKED.test(file),
  );
  const guides = list(root, 'docs').filter((file) => file.endsWith('.md'));
  for (const file of ['tsconfig.json', 'package.json', 'package-lock.json', 'vitest.config.ts', ...files, ...guides]) {
    hash
      .update(`${file}\0`)
      .update(readFileSync(join(root, file)))
      .update('\0');
  }
  return hash.digest('hex');
}

function list(root, folder) {
  if (!existsSync(join(root, folder))) return [];
  const names = readdirSync(join(root, folder), { recursive: true });
  return names
    .map((name) => join(folder, name))
    .filter((file) => statSync(join(root, file)).isFile())
    .sort();
}

function compile(root) {
  const files = FOLDERS.flatMap((folder) => list(root, folder)).filter((file) => TYPESCRIPT.test(file));
  if (runPart(root, 'transpile.mjs', files.join('\n')) !== 0)
    throw new UserFacingError('the build failed (see above).');
}

/** In a child process: the bundler takes 700 MB, and this process stays to run the product. */
function bundle(root) {
  if (runPart(root, 'bundle.mjs', '') !== 0) throw new UserFacingError('the bundles could not be made (see above).');
}

function runPart(root, script, input) {
  const words = [join(import.meta.dirname, script), root];
  return spawnSync(process.execPath, words, { input, stdio: ['pipe', 'inherit', 'inherit'] }).status;
}

/** Removes output whose source is gone: code that lists the folder would still load it. Returns the removed files. */
export function removeOrphans(root) {
  const orphans = FOLDERS.flatMap((folder) => list(root, join('dist', folder))).filter((file) => {
    const source = join(root, file.slice('dist/'.length).replace(/\.js(\.map)?$/, ''));
    return /\.js(\.map)?$/.test(file) && !existsSync(`${source}.ts`) && !existsSync(`${source}.tsx`);
  });
  for (const file of orphans) rmSync(join(root, file));
  return orphans;
}

async function onlyBuilder(root) {
  const lock = join(root, 'dist/.building');
  for (;;) {
    try {
      mkdirSync(join(root, 'dist'), { recursive: true });
      writeFileSync(lock, String(process.pid), { flag: 'wx' });
      return () => rmSync(lock, { force: true });
    } catch (error) {
      if (error.code !== 'EEXIST') throw cannotWrite(join(root, 'dist'), error);
    }
    if (!builderIsAlive(lock)) rmSync(lock, { force: true });
    else await pause(100);
  }
}

function cannotWrite(folder, { code }) {
  return new UserFacingError(
    `Cannot build into ${folder} (${code}): make this folder writable for you, or clone it again as yourself.`,
  );
}

function builderIsAlive(lock) {
  try {
    process.kill(Number(readFileSync(lock, 'utf8')) || process.pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}
