import { Injectable } from '@nestjs/common';
import { HOUR_MS } from '../../durations.js';
import { type TaskReport, type Task } from '../task.js';
import { WebhookNoticesMailer } from '../../mail/webhook-notices-mailer.js';

/** Mail that a worker was about to send when it died: whether it went is not known, so it does not go again. */
@Injectable()
export class StaleNoticesTask implements Task {
  readonly name = 'notices';
  readonly everyMs = HOUR_MS;

  constructor(private readonly notices: WebhookNoticesMailer) {}

  async run(): Promise<TaskReport> {
    return { mails_uncertain: await this.notices.deleteStale() };
  }
}
