import { type DisableRequest, WebhookDisablingService } from '#libs/webhooks';
import { Injectable } from '@nestjs/common';
import { WorkerTelemetry } from '../telemetry/worker-telemetry.js';
import { MailSendingService } from '../mail/mail-sending.service.js';

/** Disables a webhook by a rule, and has its owner and admins told. */
@Injectable()
export class AutoDisableService {
  constructor(
    private readonly disabling: WebhookDisablingService,
    private readonly mails: MailSendingService,
    private readonly telemetry: WorkerTelemetry,
  ) {}

  /** Returns whether this call disabled it. */
  async disable(disabling: DisableRequest): Promise<boolean> {
    if (!(await this.disabling.disable(disabling))) return false;
    this.telemetry.disabled(disabling);
    this.mails.wake();
    return true;
  }
}
