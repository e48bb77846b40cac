import { Counter, Gauge, Histogram, type Metrics } from '#libs/telemetry';

/** From a few milliseconds to the end of the retry schedule, about three days. */
const LATENCY_SECONDS = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15, 60, 300, 3_600, 21_600, 86_400, 259_200];

/** Makes metrics. Their names are a contract: a test holds dashboards and alert rules to them. */
export function metricMakers(registry: Metrics) {
  const registers = [registry];
  const counter = <Label extends string>(name: string, help: string, labelNames: Label[] = []) =>
    new Counter({ name, help, labelNames, registers });
  return {
    counter,
    /** Exports every label value from the start, at 0, because Prometheus misses a rise from nothing. */
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

export function secondsBetween(from: Date, to: Date): number {
  return Math.max(0, to.getTime() - from.getTime()) / 1000;
}
