import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

it.each([
  'apps/launcher/bootstrap.mjs',
  'apps/launcher/src/app.ts',
  'docker-compose.yml',
  'docs/operations.md',
  'bench/child.ts',
  'test/support/worker-process.ts',
])('%s starts a worker with one helper thread, as it is measured', (file) => {
  expect(readFileSync(file, 'utf8')).toContain('--v8-pool-size=1');
});
