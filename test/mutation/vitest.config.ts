import type { Reporter, Vitest } from 'vitest/node';
import { defineConfig } from 'vitest/config';
import project from '../../vitest.config.js';

/** Stryker looks at tests only: without this, a change that breaks the import of a spec, and so its tests, would survive. */
class BrokenSpecs implements Reporter {
  private vitest: Vitest | undefined;

  onInit(vitest: Vitest): void {
    this.vitest = vitest;
  }

  onTestModuleEnd(module: Parameters<NonNullable<Reporter['onTestModuleEnd']>>[0]): void {
    for (const error of module.errors()) this.vitest?.state.catchError(error, 'Broken spec');
  }
}

/** The project's configuration, with the specs of one part. Otherwise, Stryker runs every spec that imports the code. */
export default defineConfig({
  ...project,
  test: { ...project.test, include: process.env['MUTATION_SPECS']!.split(' '), reporters: [new BrokenSpecs()] },
});
