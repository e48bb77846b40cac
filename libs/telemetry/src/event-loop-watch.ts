import type { OnApplicationShutdown } from '@nestjs/common';
import type { Logger } from './logger.js';
import { Histogram, type Metrics } from './metrics.js';

/** Shorter delays are not noticed. */
const MAX_DELAY_MS = 500;
const CHECK_INTERVAL_MS = 1000;
const SAMPLE_INTERVAL_MS = 20;

/** Logs and measures blocked event loops. The gauges of prom-client reset with each scrape; this histogram does not. */
export class EventLoopWatch implements OnApplicationShutdown {
  private readonly metric: Histogram;
  private readonly timers: readonly NodeJS.Timeout[];
  private sampledAt = performance.now();
  private longestMs = 0;
  private slowWork: string[] = [];

  constructor(
    metrics: Metrics,
    private readonly logger: Pick<Logger, 'warn'>,
    private readonly limits = { maxDelayMs: MAX_DELAY_MS, checkIntervalMs: CHECK_INTERVAL_MS },
  ) {
    this.metric = new Histogram({
      name: 'deskwire_event_loop_delay_seconds',
      help: 'Longest delay of the event loop in each second.',
      buckets: [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
      registers: [metrics],
    });
    this.timers = [
      setInterval(() => this.sample(), SAMPLE_INTERVAL_MS).unref(),
      setInterval(() => this.check(), limits.checkIntervalMs).unref(),
    ];
  }

  /** Records long work, such as a request, that is logged as a possible reason. */
  finished(work: string, ms: number): void {
    if (ms >= this.limits.maxDelayMs && this.slowWork.length < 10) this.slowWork.push(work);
  }

  onApplicationShutdown(): void {
    for (const timer of this.timers) clearInterval(timer);
  }

  /** Measures how late the timer is. `monitorEventLoopDelay` misses delays that begin just after its reset. */
  private sample(): void {
    const now = performance.now();
    this.longestMs = Math.max(this.longestMs, now - this.sampledAt - SAMPLE_INTERVAL_MS);
    this.sampledAt = now;
  }

  private check(): void {
    this.sample();
    const delayMs = this.longestMs;
    this.longestMs = 0;
    this.metric.observe(delayMs / 1000);
    const finished = this.slowWork;
    this.slowWork = [];
    if (delayMs >= this.limits.maxDelayMs)
      this.logger.warn({ ms: Math.round(delayMs), finished }, 'the event loop was blocked');
  }
}
