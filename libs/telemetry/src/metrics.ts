import { createRequire } from 'node:module';
import { Counter, Gauge, Histogram, Registry, collectDefaultMetrics } from 'prom-client';

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
