import { expect, it } from 'vitest';
import { freePort } from '../../apps/launcher/src/ports.js';

/** The first port that Linux gives to outgoing connections, which begin higher on other systems. */
const FIRST_OUTGOING = 32_768;

it('finds each port once, below those of outgoing connections', async () => {
  const ports = await Promise.all(Array.from({ length: 100 }, freePort));

  expect(new Set(ports).size).toBe(100);
  expect(Math.max(...ports)).toBeLessThan(FIRST_OUTGOING);
});
