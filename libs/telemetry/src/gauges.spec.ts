import { AsyncLocalStorage, createHook } from 'node:async_hooks';
import { setImmediate } from 'node:timers/promises';
import { Registry } from 'prom-client';
import { expect, it } from 'vitest';
import type { Metrics } from './metrics.js';
import { registerGauge } from './gauges.js';

it('leaves no timer after a gauge was read', async () => {
  const registry = new Registry() as Metrics;
  registerGauge(registry, { name: 'open_tickets', help: 'Open tickets', read: () => 7 });
  const reading = new AsyncLocalStorage<boolean>();
  const timers = new Set<number>();
  const hook = createHook({
    // Other tests of this process have timers, too.
    init: (id, type) => void (type === 'Timeout' && reading.getStore() && timers.add(id)),
    destroy: (id) => void timers.delete(id),
  }).enable();

  expect(await reading.run(true, () => registry.metrics())).toContain('open_tickets 7');
  await setImmediate();
  hook.disable();

  expect(timers.size).toBe(0);
});
