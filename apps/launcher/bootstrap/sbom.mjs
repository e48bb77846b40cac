import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { npmProgram } from './install.mjs';
import { UserFacingError, say } from './say.mjs';

const FILE = 'dist/sbom.cdx.json';
const OPTIONS = ['--sbom-format=cyclonedx', '--sbom-type=application', '--package-lock-only'];
const LARGEST = 64 * 1024 * 1024;

export function sbom(root) {
  const [program, ...first] = npmProgram();
  const made = spawnSync(program, [...first, 'sbom', ...OPTIONS], { cwd: root, encoding: 'utf8', maxBuffer: LARGEST });
  if (made.status !== 0) throw new UserFacingError(`npm sbom failed: ${made.error?.message ?? made.stderr}`);
  const bill = JSON.parse(made.stdout);
  const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
  const production = onlyProduction(bill, lock);
  // npm uses the name of the folder.
  production.metadata.component.name = lock.name;
  const file = join(root, FILE);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, `${JSON.stringify(production, undefined, 2)}\n`);
  say(`${production.components.length} packages: ${FILE}`);
  return 0;
}

/** `npm sbom --omit=dev` also leaves out packages that development needs as well, such as @nestjs/core. */
function onlyProduction(bill, { packages }) {
  const kept = new Set([bill.metadata.component['bom-ref']]);
  for (const [path, { name, version, dev }] of Object.entries(packages))
    if (path !== '' && !dev) kept.add(`${name ?? path.slice(path.lastIndexOf('node_modules/') + 13)}@${version}`);
  return {
    ...bill,
    components: bill.components.filter((component) => kept.has(component['bom-ref'])),
    dependencies: bill.dependencies
      .filter(({ ref }) => kept.has(ref))
      .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter((one) => kept.has(one)) })),
  };
}
