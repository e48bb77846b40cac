import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Script } from 'node:vm';

/**
 * Flags of an API and of a worker, each of which can keep one core busy. The four threads that Node starts to collect
 * garbage would take the other cores. With more room for young objects there is less to collect.
 */
export const PROCESS_FLAGS: readonly string[] = ['--v8-pool-size=1', '--max-semi-space-size=32'];

/** The exports of a bundle. */
interface Program {
  start(): Promise<void>;
}

/**
 * Loads a bundle with the code that V8 compiled when it was built. Node’s own cache of compiled code needs Node 22 and a
 * folder to write to. V8 refuses a cache of another version, or of other flags, and compiles instead.
 */
export function loadProgram(address: URL): Program {
  const file = fileURLToPath(address);
  return runProgram(file, compileProgram(file));
}

/** Loads a bundle without starting it, and saves the code that V8 has compiled by then. */
export function cacheProgram(file: string): void {
  rmSync(cacheOf(file), { force: true });
  const script = compileProgram(file);
  runProgram(file, script);
  writeFileSync(cacheOf(file), script.createCachedData());
  process.exit(0);
}

const cacheOf = (file: string): string => `${file}.cache`;

export function compileProgram(file: string): Script {
  // The build has written everything beyond ASCII as escapes.
  const code = readFileSync(file, 'latin1');
  const cache = existsSync(cacheOf(file)) ? readFileSync(cacheOf(file)) : undefined;
  return new Script(code, { filename: file, ...(cache && { cachedData: cache }) });
}

export function runProgram(file: string, script: Script): Program {
  const module = { exports: {} };
  const run = script.runInThisContext() as (...values: unknown[]) => void;
  run(module.exports, createRequire(file), module, file, dirname(file));
  return module.exports as Program;
}
