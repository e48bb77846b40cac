import { Clock, Database, timeOfUuid } from '#libs/database';
import { type Metrics, cachedFor, registerGauge } from '#libs/telemetry';
import { Injectable } from '@nestjs/common';
import { type DueDeliveries, OWED_STATUSES, type OwedStatus, readBacklog, readDue } from './backlog.statements.js';

export interface BacklogState extends DueDeliveries {
  readonly owed: Readonly<Record<OwedStatus, number>>;
  readonly unrelayed: number;
  readonly oldestOwedSeconds: number;
  readonly oldestUnrelayedSeconds: number;
}

@Injectable()
export class BacklogService {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  async read(): Promise<BacklogState> {
    const now = this.clock.now();
    const [due, row] = await Promise.all([this.due(), readBacklog(this.database.system(), now)]);
    const ageOf = (id: string | null) =>
      id === null ? 0 : Math.max(0, now.getTime() - timeOfUuid(id).getTime()) / 1000;
    return {
      ...due,
      owed: Object.fromEntries(OWED_STATUSES.map((status) => [status, row.owed[status] ?? 0])) as BacklogState['owed'],
      unrelayed: row.unrelayed,
      oldestOwedSeconds: ageOf(row.oldestOwed),
      oldestUnrelayedSeconds: ageOf(row.oldestUnrelayed),
    };
  }

  due(): Promise<DueDeliveries> {
    return readDue(this.database.system(), this.clock.now());
  }
}

/** Short, because an autoscaler acts on the gauges. */
const DUE_GAUGES_CACHED_MS = 1_000;

/** The API exports them too, so that they exist while no worker runs. */
export function registerDueGauges(metrics: Metrics, backlog: BacklogService): void {
  const readNow = cachedFor(DUE_GAUGES_CACHED_MS, () => backlog.due());
  registerGauge(metrics, {
    name: 'deskwire_due_oldest_seconds',
    help: 'How long the oldest due delivery has waited',
    read: async () => (await readNow()).oldestDueSeconds,
  });
  registerGauge(metrics, {
    name: 'deskwire_due_deliveries',
    help: 'Deliveries that could be attempted now or are being attempted',
    read: async () => (await readNow()).due,
  });
}
