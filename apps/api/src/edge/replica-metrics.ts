import type { Database } from '#libs/database';
import { type Metrics, registerCount, registerGauge } from '#libs/telemetry';

/** Both say nothing where no replica is set. */
export function registerReplicaMetrics(metrics: Metrics, { replica }: Database): void {
  registerGauge(metrics, {
    name: 'deskwire_replica_lag_seconds',
    help: 'For how long something has been missing in the replica',
    read: () => (replica?.lagMs === undefined ? undefined : replica.lagMs / 1000),
  });
  registerCount(metrics, {
    name: 'deskwire_replica_reads_total',
    help: 'Reads that may be some seconds old, by what became of them',
    label: 'outcome',
    read: () => replica?.outcomes ?? {},
  });
}
