// Builds the package from the OpenAPI document, into its own folder or the one in the argument. It needs a built Deskwire
// (`npm run build` in the root).
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import openapiTS, { astToString } from 'openapi-typescript';

const own = (path) => fileURLToPath(new URL(path, import.meta.url));
const root = (path) => own(`../../${path}`);
const target = resolve(process.argv[2] ?? own('.'));

const { scripts: _scripts, ...manifest } = JSON.parse(readFileSync(own('package.json'), 'utf8'));
const { version } = JSON.parse(readFileSync(root('package.json'), 'utf8'));
if (manifest.version !== version)
  throw new Error(`The version in libs/sdk/package.json is not ${version}, which is that of Deskwire`);

const printed = execFileSync(process.execPath, [root('dist/apps/api/src/print-openapi.js')], {
  encoding: 'utf8',
  maxBuffer: 64 * 1024 * 1024,
});
const work = mkdtempSync(join(tmpdir(), 'deskwire-sdk-build-'));
try {
  for (const name of ['src', 'tsconfig.json', 'package.json']) cpSync(own(name), join(work, name), { recursive: true });
  writeFileSync(join(work, 'src/openapi.ts'), astToString(await openapiTS(printed, { defaultNonNullable: false })));
  const types = ['--typeRoots', root('node_modules/@types')];
  const options = ['-p', work, '--outDir', join(work, 'dist'), ...types];
  execFileSync(process.execPath, [root('node_modules/typescript/bin/tsc'), ...options], { stdio: 'inherit' });
  mkdirSync(target, { recursive: true });
  rmSync(join(target, 'dist'), { recursive: true, force: true });
  cpSync(join(work, 'dist'), join(target, 'dist'), { recursive: true });
  if (target !== resolve(own('.'))) {
    writeFileSync(join(target, 'package.json'), JSON.stringify(manifest, null, 2));
    cpSync(own('README.md'), join(target, 'README.md'));
  }
} finally {
  rmSync(work, { recursive: true });
}
