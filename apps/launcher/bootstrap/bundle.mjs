import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join, sep } from 'node:path';
import { pathToFileURL } from 'node:url';
import { rolldown } from 'rolldown';
import { say } from './say.mjs';

/**
 * The programs that run in production, each in one file. Finding, reading and compiling three thousand modules takes
 * most of the time that they need to start.
 */
const PROGRAMS = ['api', 'worker', 'cli'];

/** Native modules stay in node_modules. */
const NATIVE = [/^@node-rs\//, 'pg-native'];

/**
 * Without the first, msgpackr loads a native module that reads what is never read here. The others would load Node’s own
 * HTTP client at the start: bundled code has undici instead, and must not use the globals.
 */
const DEFINE = {
  'process.env.MSGPACKR_NATIVE_ACCELERATION_DISABLED': '"true"',
  Response: 'undefined',
  'globalThis.Headers': 'undefined',
};

async function bundle(root) {
  const programs = PROGRAMS.filter((name) => existsSync(entryOf(root, name)));
  mkdirSync(join(root, 'dist/programs'), { recursive: true });
  for (const name of programs) {
    await bundleProgram(root, name);
    writeFileSync(join(root, `dist/${name}.js`), doorOf(name));
    await cacheCode(root, name);
  }
}

const entryOf = (root, name) => join(root, `dist/apps/${name}/src/start.js`);

async function bundleProgram(root, name) {
  const build = await rolldown({
    input: entryOf(root, name),
    cwd: root,
    platform: 'node',
    external: NATIVE,
    transform: { define: DEFINE },
    plugins: [migrationsAsImports, oneTypeorm],
    onLog: failOnWarning,
  });
  // CommonJS, because only its compiled code can be cached.
  await build.write({
    file: join(root, `dist/programs/${name}.cjs`),
    format: 'cjs',
    codeSplitting: false,
    dynamicImportInCjs: false,
    exports: 'named',
  });
  await build.close();
  inAscii(join(root, `dist/programs/${name}.cjs`));
}

const BEYOND_ASCII = /[^\0-\x7f]/;

/**
 * In a text with a sign beyond ASCII each sign takes two bytes, and has to be decoded. Written as escapes, a program takes
 * half the memory for as long as it runs. `String.raw` would show the escapes, and needs them in the source.
 */
function inAscii(file) {
  const text = readFileSync(file, 'utf8');
  const raw = [...text.matchAll(/String\.raw`[^`]*`/g)].find(([all]) => BEYOND_ASCII.test(all));
  if (raw) throw new Error(`the bundle cannot be written in ASCII: use \\u escapes in ${raw[0]}.`);
  // An escaped character must not turn its backslash into an escaped backslash.
  const escaped = text.replaceAll(/\\[^]|[^\0-\x7f]/g, (found) => {
    const sign = found.at(-1);
    return BEYOND_ASCII.test(sign) ? `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}` : found;
  });
  // Node's wrapper of a CommonJS module.
  writeFileSync(file, `(function (exports, require, module, __filename, __dirname) {${escaped}\n})`, 'latin1');
}

/** Missing optional packages are looked up at run time, as without a bundle. */
function failOnWarning(level, log) {
  const isHarmless = ['UNRESOLVED_IMPORT', 'EVAL', 'COMMONJS_VARIABLE_IN_ESM'].includes(log.code) || level !== 'warn';
  if (!isHarmless && !log.id?.includes('node_modules')) throw new Error(`the bundle failed: ${log.message}`);
}

/** Takes the place of libs/database/src/migration-files.ts, which reads folders. */
const migrationsAsImports = {
  name: 'migrations as imports',
  load(id) {
    if (!id.endsWith('/libs/database/src/migration-files.js'.replaceAll('/', sep))) return undefined;
    const libraries = join(dirname(id), '../..');
    const files = readdirSync(libraries, { recursive: true })
      .map((file) => file.split(sep).join('/'))
      .filter((file) => /^[\w-]+\/src\/migrations\/\d+-[\w-]+\.js$/.test(file))
      .sort((one, other) => (one < other ? -1 : 1));
    const imports = files.map((file, place) => `import * as migration${place} from '../../${file}';\n`);
    const list = files.map((_, place) => `migration${place}`).join(', ');
    return `${imports.join('')}export const MIGRATION_FILES = [${list}];\n`;
  },
};

/** @nestjs/typeorm looks for two names that TypeORM 1 no longer has, and would load TypeORM twice. */
const oneTypeorm = {
  name: 'one TypeORM',
  transform: (_code, id) =>
    id.endsWith('@nestjs/typeorm/dist/common/typeorm-compat.js'.replaceAll('/', sep))
      ? 'export const Connection = undefined;\nexport const AbstractRepository = undefined;\n'
      : undefined,
};

function doorOf(name) {
  return `// Made by \`npm run build\`.
import { loadProgram } from './apps/launcher/src/load-program.js';

await loadProgram(new URL('./programs/${name}.cjs', import.meta.url)).start();
`;
}

/** Uses the flags of the process that reads the cache: V8 refuses code compiled with others. */
async function cacheCode(root, name) {
  const loader = pathToFileURL(join(root, 'dist/apps/launcher/src/load-program.js')).href;
  const { PROCESS_FLAGS } = await import(loader);
  const script = `
    const { cacheProgram } = await import(${JSON.stringify(loader)});
    cacheProgram(${JSON.stringify(join(root, `dist/programs/${name}.cjs`))});`;
  const flags = name === 'cli' ? [] : PROCESS_FLAGS;
  const { status } = spawnSync(process.execPath, [...flags, '--input-type=module', '-e', script], { stdio: 'inherit' });
  if (status !== 0) throw new Error(`the code of dist/${name}.js could not be cached (see above).`);
}

await bundle(process.argv[2]).catch((error) => {
  say(`the bundle failed: ${error.message}`);
  process.exitCode = 1;
});
