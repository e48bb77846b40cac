import { Clock, Database, later } from '#libs/database';
import { noteBacklog, sweepCounts } from '#libs/delivery';
import {
  DISABLE_AFTER_FAILED_DELIVERIES,
  DISABLE_AFTER_FAILING_MS,
  WebhookDisablingService,
  disableWebhooksOfExpired,
  disabledAt,
  noteRecovered,
  warnOfFailing,
} from '#libs/webhooks';
import { Injectable } from '@nestjs/common';
import { DAY_MS } from '../durations.js';
import { WorkerMetrics } from '../telemetry/worker-metrics.js';
import { type TaskReport, inBatches } from './upkeep.service.js';
import { findFailingWebhooks, findUndeliverable } from './upkeep.statements.js';

const BATCH = 2_000;

/** The console shows seven days. */
const COUNTS_KEPT_MS = 8 * DAY_MS;

@Injectable()
export class WebhookUpkeepService {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly disabling: WebhookDisablingService,
    private readonly telemetry: WorkerMetrics,
  ) {}

  /** A crash may have left deliveries of disabled or deleted webhooks. */
  async cancelUndeliverable(): Promise<TaskReport> {
    let deliveries = 0;
    const expired = await disableWebhooksOfExpired(this.database.system(), this.clock.now());
    for (const { accountId, webhookId } of await findUndeliverable(this.database.system()))
      deliveries += await inBatches(() => this.disabling.cancelBatch(accountId, webhookId));
    return { deliveries, webhooks_expired: expired };
  }

  /** Warns of failing webhooks at half the time until they are disabled. */
  async checkHealth(): Promise<TaskReport> {
    const db = this.database.system();
    const now = this.clock.now();
    const recovered = await inBatches(() => noteRecovered(db, now, BATCH));
    const before = {
      warned: later(now, -DISABLE_AFTER_FAILING_MS / 2),
      disabled: later(now, -DISABLE_AFTER_FAILING_MS),
    };
    let disabled = 0;
    let warned = 0;
    const failing = await findFailingWebhooks(db, before, DISABLE_AFTER_FAILED_DELIVERIES);
    for (const { webhookId, failingSince, failedDeliveries } of failing) {
      if (failedDeliveries < DISABLE_AFTER_FAILED_DELIVERIES) continue;
      if (failingSince <= before.disabled) disabled += Number(await this.disable(webhookId, failingSince));
      else warned += Number(await warnOfFailing(db, { webhookId, failingSince, until: disabledAt(failingSince) }, now));
    }
    return { webhooks_disabled: disabled, webhooks_warned: warned, webhooks_recovered: recovered };
  }

  private async disable(webhookId: string, failingSince: Date): Promise<boolean> {
    const request = { webhookId, failingSince, reason: 'failing' } as const;
    if (!(await this.disabling.disable(request))) return false;
    this.telemetry.disabled(request);
    return true;
  }

  async noteBacklog(): Promise<TaskReport> {
    return { accounts: await noteBacklog(this.database.system(), this.clock.now()) };
  }

  async deleteOldCounts(): Promise<TaskReport> {
    const before = later(this.clock.now(), -COUNTS_KEPT_MS);
    return { hours: await inBatches(() => sweepCounts(this.database.system(), before, BATCH)) };
  }
}
