import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { TsconfigCache, transformSync } from 'rolldown/utils';
import { say } from './say.mjs';

/** Strips the types of these files, without checking them: `npm run lint` does. Reads their names from standard input. */
function transpile(root) {
  const files = readFileSync(0, 'utf8').split('\n');
  const options = { sourcemap: true, tsconfig: join(root, 'tsconfig.json') };
  const tsconfigs = new TsconfigCache(options.tsconfig);
  const faults = files.flatMap((file) => {
    const { code, map, errors } = transformSync(
      join(root, file),
      readFileSync(join(root, file), 'utf8'),
      options,
      tsconfigs,
    );
    if (errors.length > 0) return errors.map(({ message, codeframe }) => `${file}: ${message}\n${codeframe ?? ''}`);
    write(join(root, 'dist', file.replace(/\.tsx?$/, '.js')), code, map);
    return [];
  });
  for (const fault of faults) say(fault);
  return faults.length === 0 ? 0 : 1;
}

function write(file, code, map) {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, `${code}\n//# sourceMappingURL=${basename(file)}.map\n`);
  writeFileSync(`${file}.map`, JSON.stringify(map));
}

process.exitCode = transpile(process.argv[2]);
