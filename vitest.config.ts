import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

const root = fileURLToPath(new URL('.', import.meta.url));

export default defineConfig({
  // Vite does not map package.json "imports" to the source, so the alias of the project is repeated here.
  resolve: { alias: [{ find: /^#libs\/(.+)$/, replacement: `${root}libs/$1/src/index.ts` }] },
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  test: {
    include: ['apps/**/*.spec.ts', 'apps/**/*.spec.tsx', 'libs/**/*.spec.ts', 'test/**/*.spec.ts'],
    globalSetup: ['test/support/temporary-folder.ts'],
    // Most of a test is waiting for other processes: on two cores, one file at a time would leave them idle. Three at a time are
    // no faster, and then what measures how long others wait measures its neighbours.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    // A file that reads the product's code again costs a second; what files change around them, they put back.
    isolate: false,
    testTimeout: 30_000,
    hookTimeout: 60_000,
    // The default of one second is less than a page may take to load on a busy machine.
    expect: { poll: { timeout: 20_000, interval: 100 } },
  },
});
