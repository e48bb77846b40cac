import { passwordQueueCounts } from '#libs/access';
import { type Metrics, registerCount, registerGauge } from '#libs/telemetry';

export function registerPasswordQueueMetrics(metrics: Metrics): void {
  registerGauge(metrics, {
    name: 'deskwire_password_checks_waiting',
    help: 'Passwords waiting to be hashed in this process.',
    read: () => passwordQueueCounts().waiting,
  });
  registerCount(metrics, {
    name: 'deskwire_password_checks_refused_total',
    help: 'Passwords not checked because the queue was full.',
    read: () => passwordQueueCounts().refused,
  });
}
