import type { OnApplicationShutdown } from '@nestjs/common';
import type { Logger } from './logger.js';
import { Histogram, type Metrics } from './metrics.js';

/** Below this, nobody notices. */
const MAX_DELAY_MS = 500;
const LOOK_EVERY_MS = 1000;
const SAMPLE_EVERY_MS = 20;

export interface EventLoopLimits {
  readonly maxDelayMs: number;
  readonly lookEveryMs: number;
}

/**
 * Notices when the event loop stands still, because one piece of work takes long: nothing else of the process runs
 * meanwhile. The gauges of prom-client start again with each scrape; this histogram says the same to every reader.
 */
export class EventLoopWatch implements OnApplicationShutdown {
  private readonly metric: Histogram;
  private readonly timers: readonly NodeJS.Timeout[];
  private sampledAt = performance.now();
  private longestMs = 0;
  private slowWork: string[] = [];

  constructor(
    metrics: Metrics,
    private readonly logger: Pick<Logger, 'warn'>,
    private readonly limits: EventLoopLimits = { maxDelayMs: MAX_DELAY_MS, lookEveryMs: LOOK_EVERY_MS },
  ) {
    this.metric = new Histogram({
      name: 'deskwire_event_loop_delay_seconds',
      help: 'The longest time in each second for which the event loop stood still.',
      buckets: [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
      registers: [metrics],
    });
    this.timers = [
      setInterval(() => this.sample(), SAMPLE_EVERY_MS).unref(),
      setInterval(() => this.look(), limits.lookEveryMs).unref(),
    ];
  }

  /** Work that may be named as the reason, such as the route of a request. Only what took long is kept. */
  finished(work: string, ms: number): void {
    if (ms >= this.limits.maxDelayMs && this.slowWork.length < 10) this.slowWork.push(work);
  }

  onApplicationShutdown(): void {
    for (const timer of this.timers) clearInterval(timer);
  }

  /** How late the timer is. `monitorEventLoopDelay` of Node misses what begins just after it was reset. */
  private sample(): void {
    const now = performance.now();
    this.longestMs = Math.max(this.longestMs, now - this.sampledAt - SAMPLE_EVERY_MS);
    this.sampledAt = now;
  }

  private look(): void {
    this.sample();
    const delayMs = this.longestMs;
    this.longestMs = 0;
    this.metric.observe(delayMs / 1000);
    const finished = this.slowWork;
    this.slowWork = [];
    if (delayMs >= this.limits.maxDelayMs)
      this.logger.warn({ ms: Math.round(delayMs), finished }, 'the event loop stood still');
  }
}
