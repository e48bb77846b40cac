import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

const root = fileURLToPath(new URL('.', import.meta.url));

export default defineConfig({
  // Vite does not read package.json "imports" back to source, so the one alias of the project is told to it here.
  resolve: { alias: [{ find: /^#libs\/(.+)$/, replacement: `${root}libs/$1/src/index.ts` }] },
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  test: {
    include: ['apps/**/*.spec.ts', 'apps/**/*.spec.tsx', 'libs/**/*.spec.ts', 'test/**/*.spec.ts'],
    globalSetup: ['test/support/temporary-folder.ts'],
    testTimeout: 30_000,
    hookTimeout: 60_000,
  },
});
