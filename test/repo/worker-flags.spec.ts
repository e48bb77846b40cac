import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

it.each([
  [
    'apps/launcher/bootstrap.mjs',
    /worker\/src\/main\.js',\s+flags: \['--v8-pool-size=1', '--max-semi-space-size=32'\]/,
  ],
  ['apps/launcher/src/product-process.ts', /worker: \['--v8-pool-size=1', '--max-semi-space-size=32'\]/],
  ['docker-compose.yml', /node, --v8-pool-size=1, --max-semi-space-size=32, dist\/apps\/worker\/src\/main\.js/],
  ['docs/operations.md', /node --v8-pool-size=1 --max-semi-space-size=32 dist\/apps\/worker\/src\/main\.js/],
  ['bench/bench-process.ts', /FLAGS = \['--v8-pool-size=1', '--max-semi-space-size=32'\]/],
  ['test/support/worker-process.ts', /\['--v8-pool-size=1', '--max-semi-space-size=32', MAIN\]/],
])('%s starts a worker with the flags that it is measured with', (file, start) => {
  expect(readFileSync(file, 'utf8')).toMatch(start);
});
