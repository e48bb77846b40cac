import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Script } from 'node:vm';

/** What a bundle exports. */
export interface Program {
  start(): Promise<void>;
}

/** Beside the bundle: what V8 made of it when it was built. */
export const cacheOf = (file: string): string => `${file}.cache`;

/**
 * A bundle, from the code that was compiled when it was built. Node’s own cache of compiled code needs Node 22 and a
 * folder to write to. V8 refuses a cache of another version, or of other flags, and compiles instead.
 */
export function loadProgram(address: URL): Program {
  const file = fileURLToPath(address);
  return runProgram(file, compileProgram(file));
}

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
