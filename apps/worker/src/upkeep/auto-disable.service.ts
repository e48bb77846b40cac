import { type Disabling, WebhookDisabling } from '#libs/webhooks';
import { Injectable } from '@nestjs/common';
import { Journal } from '../telemetry/journal.js';
import { WebhookNotices } from '../mail/webhook-notices.js';

/** A webhook is switched off by a rule: it is written down, and the people it belongs to are told. */
@Injectable()
export class WebhookEnds {
  constructor(
    private readonly disabling: WebhookDisabling,
    private readonly notices: WebhookNotices,
    private readonly journal: Journal,
  ) {}

  /** Says whether it was this call that did it. */
  async disable(disabling: Disabling): Promise<boolean> {
    if (!(await this.disabling.disable(disabling))) return false;
    this.journal.disabled(disabling);
    this.notices.wake();
    return true;
  }
}
