import { Registry, collectDefaultMetrics } from 'prom-client';

export { Counter, Gauge, Histogram } from 'prom-client';

/** The registry behind `/metrics` of one process. Given to whoever counts, so that two apps in one test never mix. */
export class Metrics extends Registry {
  constructor(app: string) {
    super();
    this.setDefaultLabels({ app });
    collectDefaultMetrics({ register: this });
  }
}
