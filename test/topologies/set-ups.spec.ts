import { expect, it } from 'vitest';
import { TOPOLOGY_NAMES, runTopologies } from './run.js';

/** What goes through most of the product. `npm run faults -- --topology all` runs all tests of the API and the pipeline. */
const SHORT = ['test/pipeline/deliveries.spec.ts', 'test/api/tickets.spec.ts', 'test/api/ticket-orders.spec.ts'];

/** All tests run on the first one anyway. */
it.each(TOPOLOGY_NAMES.filter((name) => name !== 'single'))(
  'tests of the API and of the pipeline pass on %s',
  { timeout: 240_000 },
  async (name) => {
    const said: string[] = [];

    expect(await runTopologies([name], (line) => said.push(line), SHORT), said.join('\n')).toBe(true);
  },
);
