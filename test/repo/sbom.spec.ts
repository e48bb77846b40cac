import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { Ajv } from 'ajv';
import { beforeAll, describe, expect, it } from 'vitest';

/** The used parts of https://cyclonedx.org/schema/bom-1.5.schema.json. */
const SCHEMA = {
  type: 'object',
  required: ['bomFormat', 'specVersion', 'serialNumber', 'version', 'metadata', 'components', 'dependencies'],
  properties: {
    bomFormat: { const: 'CycloneDX' },
    specVersion: { const: '1.5' },
    serialNumber: { pattern: '^urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$' },
    version: { type: 'integer', minimum: 1 },
    metadata: {
      type: 'object',
      required: ['timestamp', 'component'],
      properties: { timestamp: { pattern: '^\\d{4}-\\d\\d-\\d\\dT' }, component: { $ref: '#/$defs/component' } },
    },
    components: { type: 'array', minItems: 50, uniqueItems: true, items: { $ref: '#/$defs/component' } },
    dependencies: {
      type: 'array',
      items: {
        type: 'object',
        required: ['ref'],
        properties: { ref: { type: 'string' }, dependsOn: { type: 'array', uniqueItems: true } },
      },
    },
  },
  $defs: {
    component: {
      type: 'object',
      required: ['type', 'name', 'version', 'bom-ref', 'purl'],
      properties: {
        type: { enum: ['application', 'library'] },
        name: { type: 'string', minLength: 1 },
        version: { type: 'string', minLength: 1 },
        scope: { enum: ['required', 'optional', 'excluded'] },
        purl: { pattern: '^pkg:npm/' },
        hashes: {
          type: 'array',
          items: {
            required: ['alg', 'content'],
            properties: {
              alg: { enum: ['SHA-1', 'SHA-256', 'SHA-384', 'SHA-512'] },
              content: { pattern: '^[0-9a-f]+$' },
            },
          },
        },
        licenses: {
          type: 'array',
          items: {
            oneOf: [
              {
                required: ['license'],
                properties: { license: { oneOf: [{ required: ['id'] }, { required: ['name'] }] } },
              },
              { required: ['expression'], properties: { expression: { type: 'string' } } },
            ],
          },
        },
      },
    },
  },
};

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
  it('writes CycloneDX', () => {
    const validate = new Ajv({ strict: false, allErrors: true }).compile(SCHEMA);

    validate(bill);
    expect(validate.errors ?? []).toEqual([]);
    expect(bill.metadata.component).toMatchObject({ name: 'deskwire', type: 'application', version: own['version'] });
  });

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

  it('runs in the Docker build before files are removed from the image', () => {
    const lines = readFileSync('Dockerfile', 'utf8').split('\n');
    const step = lines.find((line) => line.startsWith('RUN npm run build')) ?? '';

    expect(step.indexOf('npm run sbom')).toBeGreaterThan(0);
    expect(step.indexOf('npm run sbom')).toBeLessThan(step.indexOf('npm prune'));
  });
});
