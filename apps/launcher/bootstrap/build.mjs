import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { UserFacingError, say } from './say.mjs';

const FOLDERS = ['apps', 'libs', 'test', 'bench'];
const SOURCE = /\.(ts|tsx|mjs|json)$/;
/** `npm pack` writes .ts files that are no sources. */
const PACKED = /^libs[\\/]\w+[\\/]dist[\\/]/;

/** Compiles if the sources have changed since the last build. */
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
  for (const file of ['tsconfig.json', 'package.json', 'package-lock.json', 'vitest.config.ts', ...files]) {
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
  // The compiler does not notice that its output was removed.
  if (!existsSync(join(root, 'dist/apps/launcher/src/main.js')))
    rmSync(join(root, 'dist/.tsbuildinfo'), { force: true });
  const tsc = join(root, 'node_modules/typescript/bin/tsc');
  const { status } = spawnSync(process.execPath, [tsc, '-p', 'tsconfig.json'], { cwd: root, stdio: 'inherit' });
  if (status !== 0) throw new UserFacingError('the build failed (see above).');
}

/** In a child process: the bundler takes 700 MB, and this process stays to run the product. */
function bundle(root) {
  const { status } = spawnSync(process.execPath, [join(import.meta.dirname, 'bundle.mjs'), root], { stdio: 'inherit' });
  if (status !== 0) throw new UserFacingError('the bundles could not be made (see above).');
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
