import { Clock, Database, later } from '#libs/database';
import { noteBacklog, sweepCounts } from '#libs/delivery';
import {
  DISABLE_AFTER_FAILED_DELIVERIES,
  DISABLE_AFTER_FAILING_MS,
  WebhookDisablingService,
  disableWebhooksOfExpired,
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

  async disableFailing(): Promise<TaskReport> {
    const before = later(this.clock.now(), -DISABLE_AFTER_FAILING_MS);
    const failing = await findFailingWebhooks(this.database.system(), before, DISABLE_AFTER_FAILED_DELIVERIES);
    let disabled = 0;
    for (const { failedDeliveries, ...found } of failing) {
      const request = { ...found, reason: 'failing' } as const;
      if (failedDeliveries < DISABLE_AFTER_FAILED_DELIVERIES || !(await this.disabling.disable(request))) continue;
      this.telemetry.disabled(request);
      disabled += 1;
    }
    return { webhooks_disabled: disabled };
  }

  async noteBacklog(): Promise<TaskReport> {
    return { accounts: await noteBacklog(this.database.system(), this.clock.now()) };
  }

  async deleteOldCounts(): Promise<TaskReport> {
    const before = later(this.clock.now(), -COUNTS_KEPT_MS);
    return { hours: await inBatches(() => sweepCounts(this.database.system(), before, BATCH)) };
  }
}
