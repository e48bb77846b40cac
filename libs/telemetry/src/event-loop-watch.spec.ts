import { afterEach, expect, it, vi } from 'vitest';
import { EventLoopWatch } from './event-loop-watch.js';
import { Metrics } from './metrics.js';

let watch: EventLoopWatch;
afterEach(() => watch.onApplicationShutdown());

function block(ms: number): void {
  const end = performance.now() + ms;
  let turns = 0;
  while (performance.now() < end) turns++;
  expect(turns).toBeGreaterThan(0);
}

it('measures and logs a blocked event loop with the work that blocked it', async () => {
  const metrics = new Metrics('test');
  const logged: Record<string, unknown>[] = [];
  const logger = { warn: (line: object) => logged.push(line as Record<string, unknown>) };
  watch = new EventLoopWatch(metrics, logger as never, { maxDelayMs: 300, checkIntervalMs: 20 });
  // Its first sample is the start.
  await vi.waitFor(async () => expect(await metrics.metrics()).toMatch(/delay_seconds_count\{[^}]*\} [1-9]/));

  block(600);
  watch.finished('POST /v1/tickets', 600);
  watch.finished('GET /healthz', 1);
  await vi.waitFor(() => expect(logged).toHaveLength(1));
  const [{ ms, finished } = {}] = logged;

  expect(ms).toBeGreaterThan(300);
  expect(finished).toEqual(['POST /v1/tickets']);
  const text = await metrics.metrics();
  const countOf = (le: string): number =>
    Number(new RegExp(`delay_seconds_bucket\\{le="${le.replace('+', '\\+')}"[^}]*\\} (\\d+)`).exec(text)?.[1]);
  expect(countOf('+Inf')).toBeGreaterThan(countOf('0.25'));
});
