import { createHook } from 'node:async_hooks';
import { setImmediate } from 'node:timers/promises';
import { Registry } from 'prom-client';
import { expect, it } from 'vitest';
import { registerGauge } from './gauges.js';
import type { Metrics } from './metrics.js';

it('a gauge that was read leaves no timer behind', async () => {
  const registry = new Registry() as Metrics;
  registerGauge(registry, { name: 'open_tickets', help: 'Open tickets', read: () => 7 });
  const timers = new Set<number>();
  const hook = createHook({
    init: (id, type) => void (type === 'Timeout' && timers.add(id)),
    destroy: (id) => void timers.delete(id),
  }).enable();

  expect(await registry.metrics()).toContain('open_tickets 7');
  await setImmediate();
  hook.disable();

  expect(timers.size).toBe(0);
});
