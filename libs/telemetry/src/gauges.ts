import { setTimeout as delay } from 'node:timers/promises';
import { Counter, Gauge } from 'prom-client';
import type { Pool } from 'pg';
import type { Metrics } from './metrics.js';

/** A number, or one for each value of the label. */
export type GaugeReading = number | Readonly<Record<string, number>> | undefined;

interface Sampled<T> {
  readonly name: string;
  readonly help: string;
  readonly read: () => T;
}

const READ_TIMEOUT_MS = 3_000;

/** Reads the gauge at each scrape. A value that cannot be read in time is omitted, so an outage hides no other metric. */
export function registerGauge(
  registry: Metrics,
  { name, help, label, read }: Sampled<GaugeReading | Promise<GaugeReading>> & { readonly label?: string },
): void {
  const gauge: Gauge = new Gauge({
    name,
    help,
    labelNames: label ? [label] : [],
    registers: [registry],
    async collect() {
      const reading = await readWithin(read);
      if (label) gauge.reset();
      else gauge.remove();
      if (typeof reading === 'number') gauge.set(reading);
      else if (reading && label)
        for (const [value, number] of Object.entries(reading)) gauge.set({ [label]: value }, number);
    },
  });
}

/** Exports a counter that is kept outside of prom-client. */
export function registerCount(registry: Metrics, { name, help, read }: Sampled<number>): void {
  const counter: Counter = new Counter({
    name,
    help,
    registers: [registry],
    collect() {
      counter.reset();
      counter.inc(read());
    },
  });
}

/** Lets all gauges of one scrape share one read. */
export function cachedFor<T>(ms: number, read: () => Promise<T>): () => Promise<T> {
  let cached: { readonly value: Promise<T>; readonly at: number } | undefined;
  return () => {
    if (!cached || performance.now() - cached.at > ms) cached = { value: read(), at: performance.now() };
    return cached.value;
  };
}

async function readWithin(read: () => GaugeReading | Promise<GaugeReading>): Promise<GaugeReading> {
  const answered = new AbortController();
  try {
    return await Promise.race([read(), delay(READ_TIMEOUT_MS, undefined, { ref: false, signal: answered.signal })]);
  } catch {
    return undefined;
  } finally {
    answered.abort();
  }
}

/** `disk` is undefined if files are in a bucket. */
export function registerDiskGauges(
  registry: Metrics,
  disk: { space(): Promise<{ readonly freeBytes: number; readonly reserveBytes: number }> } | undefined,
): void {
  registerGauge(registry, {
    name: 'deskwire_files_disk_free_bytes',
    help: 'Free bytes of the disk that stores files',
    read: async () => (await disk?.space())?.freeBytes,
  });
  registerGauge(registry, {
    name: 'deskwire_files_disk_reserve_bytes',
    help: 'Bytes of the disk reserved for the database: below them no files are stored',
    read: async () => (await disk?.space())?.reserveBytes,
  });
}

export function registerPoolGauge(registry: Metrics, pool: Pool): void {
  registerGauge(registry, {
    name: 'deskwire_database_connections',
    help: 'PostgreSQL connections of this process, and callers waiting for one',
    label: 'state',
    read: () => ({ busy: pool.totalCount - pool.idleCount, idle: pool.idleCount, waiting: pool.waitingCount }),
  });
}
