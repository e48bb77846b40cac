import { rmSync, writeFileSync } from 'node:fs';
import { cacheOf, compileProgram, runProgram } from './load-program.js';

// Loads a bundle without starting it, and keeps what V8 has compiled by then.
const file = process.argv[2]!;
rmSync(cacheOf(file), { force: true });
const script = compileProgram(file);
runProgram(file, script);
writeFileSync(cacheOf(file), script.createCachedData());
process.exit(0);
