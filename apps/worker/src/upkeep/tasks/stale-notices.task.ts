import { Injectable } from '@nestjs/common';
import { HOUR_MS } from '../../durations.js';
import { type TaskReport, type Task } from '../task.js';
import { WebhookNoticesMailer } from '../../mail/webhook-notices-mailer.js';

/** Deletes notices that a worker claimed before it died. They may have been sent, so they are not sent again. */
@Injectable()
export class StaleNoticesTask implements Task {
  readonly name = 'notices';
  readonly everyMs = HOUR_MS;

  constructor(private readonly notices: WebhookNoticesMailer) {}

  async run(): Promise<TaskReport> {
    return { mails_uncertain: await this.notices.deleteStale() };
  }
}
