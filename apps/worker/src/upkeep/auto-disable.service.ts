import { type DisableRequest, WebhookDisablingService } from '#libs/webhooks';
import { Injectable } from '@nestjs/common';
import { WorkerTelemetry } from '../telemetry/worker-telemetry.js';
import { WebhookNoticesMailer } from '../mail/webhook-notices-mailer.js';

/** Disables a webhook by a rule, and has its owner and admins told. */
@Injectable()
export class AutoDisableService {
  constructor(
    private readonly disabling: WebhookDisablingService,
    private readonly notices: WebhookNoticesMailer,
    private readonly telemetry: WorkerTelemetry,
  ) {}

  /** Returns whether this call disabled it. */
  async disable(disabling: DisableRequest): Promise<boolean> {
    if (!(await this.disabling.disable(disabling))) return false;
    this.telemetry.disabled(disabling);
    this.notices.wake();
    return true;
  }
}
