import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

const root = fileURLToPath(new URL('.', import.meta.url));

export default defineConfig({
  // Vite does not map package.json "imports" to the source, so the aliases of the project are repeated here.
  resolve: {
    alias: [
      { find: /^#libs\/(.+)$/, replacement: `${root}libs/$1/src/index.ts` },
      { find: /^#test\/(.+)\.js$/, replacement: `${root}test/$1.ts` },
    ],
  },
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  test: {
    include: ['apps/**/*.spec.ts', 'apps/**/*.spec.tsx', 'libs/**/*.spec.ts', 'test/**/*.spec.ts'],
    globalSetup: ['test/support/temporary-folder.ts'],
    tags: [{ name: 'long', description: 'Runs with `npm test -- --all` only.' }],
    // Most tests wait for other processes: on two cores, one file at a time would leave them idle. Three at a time are no
    // faster, and then tests that measure latency measure the load of the others.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    // Loading the product's code again would take a second for each file. Files restore what they change around them.
    isolate: false,
    testTimeout: 30_000,
    hookTimeout: 60_000,
    // A page may take longer than the default of one second to load on a busy machine.
    expect: { poll: { timeout: 20_000, interval: 100 } },
  },
});
