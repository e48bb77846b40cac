import { Clock } from '#libs/database';
import type { QueueKind } from '#libs/webhooks';
import { Injectable } from '@nestjs/common';
import { AutoDisableService } from '../upkeep/auto-disable.service.js';
import { type FinishedAttempt, attemptRecord } from './attempt-record.js';
import { AttemptRecorder } from './attempt-recorder.js';
import { AttemptTelemetry } from './attempt-telemetry.js';

/** What follows from an attempt: its record, its log line, and the end of a webhook whose receiver is gone. */
@Injectable()
export class FinishedAttempts {
  constructor(
    private readonly recorder: AttemptRecorder,
    private readonly telemetry: AttemptTelemetry,
    private readonly autoDisable: AutoDisableService,
    private readonly clock: Clock,
  ) {}

  async record(finished: FinishedAttempt, queueKind: QueueKind): Promise<void> {
    await this.recorder.record(attemptRecord(finished, this.clock.now()), queueKind);
    this.telemetry.finished(finished);
    if (finished.step.kind === 'gone')
      await this.autoDisable.disable({ webhookId: finished.delivery.webhookId, reason: 'gone' });
  }
}
