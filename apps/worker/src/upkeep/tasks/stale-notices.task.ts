import { Injectable } from '@nestjs/common';
import { HOUR_MS } from '../../durations.js';
import { type Report, type Task } from '../task.js';
import { WebhookNotices } from '../../mail/webhook-notices.js';

/** Mail that a worker was about to send when it died: whether it went is not known, so it does not go again. */
@Injectable()
export class NoticesTask implements Task {
  readonly name = 'notices';
  readonly everyMs = HOUR_MS;

  constructor(private readonly notices: WebhookNotices) {}

  async run(): Promise<Report> {
    return { mails_uncertain: await this.notices.forgetLeft() };
  }
}
