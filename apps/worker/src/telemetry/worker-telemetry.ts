import type { DisabledReason } from '#libs/entities';
import type { SendResult } from '#libs/mail';
import { LOGGER, type Logger, Metrics } from '#libs/telemetry';
import { Inject, Injectable } from '@nestjs/common';
import { secondsBetween } from './metric-makers.js';
import { pipelineMetrics } from './pipeline-metrics.js';

/** The logs and metrics of the worker, apart from those of attempts. */
@Injectable()
export class WorkerTelemetry {
  private readonly metrics: ReturnType<typeof pipelineMetrics>;

  constructor(
    registry: Metrics,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    this.metrics = pipelineMetrics(registry);
  }

  /** Something failed for a while. The work goes on. */
  interrupted(what: string, error: unknown): void {
    this.metrics.interruptions.inc();
    this.logger.warn({ err: error }, what);
  }

  relayed(round: { events: number; deliveries: number; oldestEventId: string | null; now: Date }): void {
    this.metrics.events.inc(round.events);
    this.metrics.deliveries.inc(round.deliveries);
    if (round.oldestEventId !== null)
      this.metrics.relayLag.observe(secondsBetween(timeOfUuid(round.oldestEventId), round.now));
  }

  /** The feeder added deliveries to the queue. */
  fed(count: number): void {
    if (count > 0) this.metrics.fed.inc(count);
  }

  queueLost(count: number): void {
    if (count === 0) return;
    this.leasesExpired(count);
    this.metrics.queueLost.inc();
    this.logger.warn({ deliveries: count }, 'the queue was lost and is being filled again');
  }

  leasesExpired(count: number): void {
    if (count > 0) this.metrics.sweepFound.inc(count);
  }

  disabled({ webhookId, reason }: { webhookId: string; reason: DisabledReason }): void {
    this.metrics.disabled.inc({ reason });
    this.logger.warn({ webhook_id: webhookId, reason }, 'a webhook was disabled');
  }

  noticeSent(webhookId: string, result: SendResult): void {
    this.metrics.notices.inc({ result });
    this.logger.info({ webhook_id: webhookId, result }, 'mail about a disabled webhook');
  }

  copySent(messageId: string, result: SendResult): void {
    this.logger.info({ message_id: messageId, result }, 'copy of a message for its customer');
  }

  /** Writes one line for each run of a task. */
  taskFinished(task: string, report: Readonly<Record<string, number>>, durationMs: number): void {
    this.metrics.upkeepRuns.inc({ task, result: 'done' });
    this.metrics.upkeepRuns.inc({ task, result: 'failed' }, 0);
    for (const [what, count] of Object.entries(report)) this.metrics.upkeepFound.inc({ task, what }, count);
    this.logger.info({ task, ...report, duration_ms: Math.round(durationMs) }, 'upkeep');
  }

  taskFailed(task: string, error: unknown): void {
    this.metrics.upkeepRuns.inc({ task, result: 'failed' });
    this.logger.error({ err: error, task }, 'upkeep failed and will be tried again');
  }
}

/** A version 7 id begins with its time in milliseconds. */
function timeOfUuid(id: string): Date {
  return new Date(Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16));
}
