// @module-tag long
import { expect, it } from 'vitest';
import { TOPOLOGY_NAMES, runTopologies } from './run.js';

/**
 * Tests that use most of the product. `npm run faults -- --topology all` runs all tests of the API and the pipeline.
 */
const SHORT = [
  'test/pipeline/deliveries.spec.ts',
  'test/api/tickets/tickets.spec.ts',
  'test/api/tickets/ticket-orders.spec.ts',
];

const say = (line: string): unknown => process.stdout.write(`${line}\n`);

/** All tests run on the first one anyway. */
it.each(TOPOLOGY_NAMES.filter((name) => name !== 'single'))(
  'passes the tests of the API and of the pipeline on %s',
  { timeout: 240_000 },
  async (name) => {
    expect(await runTopologies([name], say, SHORT)).toBe(true);
  },
);
