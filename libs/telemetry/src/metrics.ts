import { createRequire } from 'node:module';
import { Counter, Gauge, Histogram, Registry, collectDefaultMetrics } from 'prom-client';
import { setTimeout as delay } from 'node:timers/promises';
import type { Pool } from 'pg';

export { Counter, Gauge, Histogram } from 'prom-client';

/** Read by its import name: sources, build output and bundles have different paths to package.json. */
export const VERSION: string = (createRequire(import.meta.url)('#package.json') as { version: string }).version;

/** The registry behind `/metrics`. It is injected, not global, so two apps in one test do not share it. */
export class Metrics extends Registry {
  constructor(app: string) {
    super();
    this.setDefaultLabels({ app });
    collectDefaultMetrics({ register: this });
    const labels = { version: VERSION, node: process.versions.node };
    const build = { name: 'deskwire_build_info', help: 'Version of Deskwire and of Node; the value is 1.' };
    new Gauge({ ...build, labelNames: Object.keys(labels), registers: [this] }).set(labels, 1);
  }
}

const LATENCY_SECONDS = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15, 60, 300, 3_600, 21_600, 86_400, 259_200];

/** A test checks dashboards and alert rules against the names. */
export function metricMakers(registry: Metrics) {
  const registers = [registry];
  const counter = <Label extends string>(name: string, help: string, labelNames: Label[] = []) =>
    new Counter({ name, help, labelNames, registers });
  return {
    counter,
    /** From 0, because Prometheus misses a rise from nothing. */
    counterOf: <Label extends string>(
      name: string,
      help: string,
      values: Readonly<Record<Label, readonly string[]>>,
    ) => {
      const made = counter<Label>(name, help, Object.keys(values) as Label[]);
      for (const [label, each] of Object.entries<readonly string[]>(values))
        for (const value of each) made.inc({ [label]: value } as Record<Label, string>, 0);
      return made;
    },
    gauge: (name: string, help: string) => new Gauge({ name, help, registers }),
    histogram: (name: string, help: string, buckets = LATENCY_SECONDS) =>
      new Histogram({ name, help, buckets, registers }),
  };
}

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
    help: 'Free bytes of the disk on which files are stored',
    read: async () => (await disk?.space())?.freeBytes,
  });
  registerGauge(registry, {
    name: 'deskwire_files_disk_reserve_bytes',
    help: 'Bytes of it that are reserved for the database: below them no files are stored',
    read: async () => (await disk?.space())?.reserveBytes,
  });
}

export function registerPoolGauge(registry: Metrics, pool: Pool): void {
  registerGauge(registry, {
    name: 'deskwire_database_connections',
    help: 'Connections to PostgreSQL of this process, and callers waiting for one',
    label: 'state',
    read: () => ({ busy: pool.totalCount - pool.idleCount, idle: pool.idleCount, waiting: pool.waitingCount }),
  });
}
