import { type DisableRequest, WebhookDisablingService } from '#libs/webhooks';
import { Injectable } from '@nestjs/common';
import { WorkerMetrics } from '../telemetry/worker-metrics.js';

/** Disables a webhook by a rule. The statement owes its owner and admins a mail. */
@Injectable()
export class AutoDisableService {
  constructor(
    private readonly disabling: WebhookDisablingService,
    private readonly telemetry: WorkerMetrics,
  ) {}

  /** Returns whether this call disabled it. */
  async disable(disabling: DisableRequest): Promise<boolean> {
    if (!(await this.disabling.disable(disabling))) return false;
    this.telemetry.disabled(disabling);
    return true;
  }
}
