import { defineConfig } from 'vitest/config';
import project from '../../vitest.config.js';

/** The project's configuration, with the specs of one part. Without it, Stryker runs every spec that imports the code. */
export default defineConfig({
  ...project,
  test: { ...project.test, include: process.env['MUTATION_SPECS']!.split(' ') },
});
