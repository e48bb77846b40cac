import { Gauge, Registry, collectDefaultMetrics } from 'prom-client';
import { VERSION } from './version.js';

export { Counter, Gauge, Histogram } from 'prom-client';

/** The registry behind `/metrics` of one process. Given to whoever counts, so that two apps in one test never mix. */
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
