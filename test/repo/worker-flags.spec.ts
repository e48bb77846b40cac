import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

it.each([
  ['apps/launcher/bootstrap.mjs', /worker\/src\/main\.js',\s+flags: \['--v8-pool-size=1'\]/],
  ['apps/launcher/src/app.ts', /worker: \['--v8-pool-size=1'\]/],
  ['docker-compose.yml', /node, --v8-pool-size=1, dist\/apps\/worker\/src\/main\.js/],
  ['docs/operations.md', /node --v8-pool-size=1 dist\/apps\/worker\/src\/main\.js/],
  ['bench/child.ts', /spawn\(process\.execPath, \['--v8-pool-size=1'/],
  ['test/support/worker-process.ts', /spawn\(process\.execPath, \['--v8-pool-size=1', MAIN\]/],
])('%s starts a worker with one helper thread, as it is measured', (file, start) => {
  expect(readFileSync(file, 'utf8')).toMatch(start);
});
