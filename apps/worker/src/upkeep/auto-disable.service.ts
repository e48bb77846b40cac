import { type DisableRequest, WebhookDisablingService } from '#libs/webhooks';
import { Injectable } from '@nestjs/common';
import { WorkerTelemetry } from '../telemetry/worker-telemetry.js';
import { WebhookNoticesMailer } from '../mail/webhook-notices-mailer.js';

/** A webhook is switched off by a rule: it is written down, and the people it belongs to are told. */
@Injectable()
export class AutoDisableService {
  constructor(
    private readonly disabling: WebhookDisablingService,
    private readonly notices: WebhookNoticesMailer,
    private readonly telemetry: WorkerTelemetry,
  ) {}

  /** Says whether it was this call that did it. */
  async disable(disabling: DisableRequest): Promise<boolean> {
    if (!(await this.disabling.disable(disabling))) return false;
    this.telemetry.disabled(disabling);
    this.notices.wake();
    return true;
  }
}
