import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';

interface Component {
  readonly 'bom-ref': string;
  readonly name: string;
  readonly version: string;
  readonly hashes?: readonly { readonly alg: string }[];
}

interface Bill {
  readonly metadata: { readonly component: Component };
  readonly components: readonly Component[];
  readonly dependencies: readonly { readonly ref: string; readonly dependsOn: readonly string[] }[];
}

interface LockedPackage {
  readonly version: string;
  readonly dev?: boolean;
  readonly devOptional?: boolean;
}

const own = JSON.parse(readFileSync('package.json', 'utf8')) as Record<string, Record<string, string>>;
const lock = JSON.parse(readFileSync('package-lock.json', 'utf8')) as { packages: Record<string, LockedPackage> };
const nameOf = (path: string): string => path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);

let bill: Bill;
beforeAll(() => {
  const { status, stdout, stderr } = spawnSync(process.execPath, ['apps/launcher/bootstrap.mjs', 'sbom'], {
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`npm run sbom failed: ${stdout}${stderr}`);
  bill = JSON.parse(readFileSync('dist/sbom.cdx.json', 'utf8')) as Bill;
});

describe('npm run sbom', () => {
  it('lists every package of production in its locked version, and none of development', () => {
    const named = bill.components.map(({ name, version }) => `${name}@${version}`);
    const locked = Object.entries(lock.packages).filter(([path]) => path !== '');
    const inProduction = locked.filter(([, { dev, devOptional }]) => !dev && !devOptional);
    const development = locked.filter(([, { dev }]) => dev);
    const onlyDevelopment = new Set(development.map(([path, { version }]) => `${nameOf(path)}@${version}`));
    const expected = inProduction.map(([path, { version }]) => `${nameOf(path)}@${version}`);

    expect(
      Object.keys(own['dependencies'] ?? {}).filter((name) => !named.some((one) => one.startsWith(`${name}@`))),
    ).toEqual([]);
    expect(expected.filter((one) => !named.includes(one))).toEqual([]);
    expect(named.filter((one) => onlyDevelopment.has(one) && !expected.includes(one))).toEqual([]);
    expect(named.length).toBeGreaterThan(100);
  });

  it('contains the hash and the dependencies of each package', () => {
    const refs = new Set([bill.metadata.component, ...bill.components].map((one) => one['bom-ref']));

    expect(refs.size).toBe(bill.components.length + 1);
    expect(bill.components.filter(({ hashes }) => !hashes?.length).map(({ name }) => name)).toEqual([]);
    expect(
      bill.dependencies.flatMap(({ ref, dependsOn }) => [ref, ...dependsOn]).filter((ref) => !refs.has(ref)),
    ).toEqual([]);
  });
});
