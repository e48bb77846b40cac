import { createRequire } from 'node:module';
import { Gauge, Registry, collectDefaultMetrics } from 'prom-client';

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
