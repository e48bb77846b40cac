import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const ROLES = [
  'Controller',
  'Service',
  'Guard',
  'Pipe',
  'Interceptor',
  'Filter',
  'Module',
  'Reader',
  'Repository',
  'Loop',
  'Processor',
  'Queue',
  'Limiter',
  'Watch',
  'Server',
  'Listener',
  'Cache',
  'Classifier',
  'Client',
  'Counter',
  'Loader',
  'Recorder',
  'Runner',
  'Sender',
  'Renderer',
  'Validator',
  'Metrics',
  'Parser',
];
const WITHOUT_ROLE = new Set(['Bell', 'Clock', 'Database', 'Links', 'Transactions']);
const MAX_MODULES = 20;

const sources = ['apps', 'libs']
  .flatMap((folder) => readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((file) => join(folder, file)))
  .filter((file) => /(?<!\.spec)\.tsx?$/.test(file) && !file.startsWith('libs/sdk/'))
  .map((file) => readFileSync(file, 'utf8'));

/** The names of the classes to which a pattern leads, such as the one of a decorator. */
const classesAfter = (pattern: string): string[] =>
  sources.flatMap((text) =>
    [...text.matchAll(new RegExp(`^${pattern}(?:export )?(?:default )?(?:abstract )?class (\\w+)`, 'gm'))].map(
      ([, name]) => name!,
    ),
  );

it('gives every injectable class a name that ends in its role', () => {
  const injectables = classesAfter(String.raw`@Injectable\([^)]*\)\n(?:@[^\n]*\n)*`);

  expect(injectables.length).toBeGreaterThan(100);
  expect(injectables.filter((name) => !WITHOUT_ROLE.has(name) && !ROLES.some((role) => name.endsWith(role)))).toEqual(
    [],
  );
});

it('gives every exported class a unique name', () => {
  const names = classesAfter('(?=export )');

  expect(names.length).toBeGreaterThan(300);
  expect(names.filter((name, place) => names.indexOf(name) !== place)).toEqual([]);
});

it(`has at most ${MAX_MODULES} modules`, () => {
  const modules = sources.flatMap((text) => [...text.matchAll(/^@Module\(/gm)]);

  expect(modules.length).toBeLessThanOrEqual(MAX_MODULES);
});
