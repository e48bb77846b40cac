import { type Metrics, cachedFor, registerGauge } from '#libs/telemetry';
import type { BacklogService } from './backlog.service.js';

/** Maximum age of the values, because an autoscaler acts on them. */
const FRESH_MS = 1_000;

/** Registered in every worker and in the API, so that the gauges exist when no worker runs. */
export function registerDueGauges(metrics: Metrics, backlog: BacklogService): void {
  const readNow = cachedFor(FRESH_MS, () => backlog.due());
  registerGauge(metrics, {
    name: 'deskwire_due_oldest_seconds',
    help: 'How long the oldest delivery that could be attempted has waited, wherever it is',
    read: async () => (await readNow()).oldestDueSeconds,
  });
  registerGauge(metrics, {
    name: 'deskwire_due_deliveries',
    help: 'Deliveries that could be attempted now or are being attempted, wherever they are',
    read: async () => (await readNow()).due,
  });
}
