import { POSTGRESQL, describeDatabaseOutage, logSkew, timeOfUuid } from '#libs/database';
import type { DisabledReason } from '#libs/entities';
import type { ClaimedMail, SendOutcome } from '#libs/mail';
import type { ImapRelease, LeasedImap } from '#libs/mailboxes';
import { REDIS, describeRedisOutage, isRedisOutage } from '#libs/redis';
import { LOGGER, type Logger, Metrics, OutageLog, metricMakers } from '#libs/telemetry';
import { Inject, Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { MINUTE_MS } from '../durations.js';

interface RelayedRound {
  readonly events: number;
  readonly deliveries: number;
  readonly oldestEventId: string | null;
  readonly now: Date;
}

@Injectable()
export class WorkerMetrics {
  private readonly metrics: ReturnType<typeof pipelineMetrics>;
  private readonly logged = new LRUCache<string, true>({ max: 100, ttl: MINUTE_MS, noUpdateTTL: true });

  constructor(
    registry: Metrics,
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly outages: OutageLog,
  ) {
    this.metrics = pipelineMetrics(registry);
  }

  /** Failures of one outage, or of one kind, share a log line per minute. */
  interrupted(what: string, error: unknown): void {
    if (error instanceof Error && isRedisOutage(error)) return this.redisFailed(error);
    this.metrics.interruptions.inc();
    const words = describeDatabaseOutage(error);
    if (words !== undefined) return this.outages.lasts(POSTGRESQL, words);
    const kind = `${what}: ${String(error)}`;
    if (!this.logged.has(kind)) this.logger.warn({ err: error }, what);
    this.logged.set(kind, true);
  }

  redisFailed(error: Error): void {
    this.metrics.interruptions.inc();
    this.outages.lasts(REDIS, describeRedisOutage(error));
  }

  databaseAnswers(): void {
    this.outages.isOver(POSTGRESQL);
  }

  queueAnswers(): void {
    this.outages.isOver(REDIS);
  }

  clockRead(skewMs: number, isPermitted: boolean): void {
    this.metrics.skew.set(skewMs / 1_000);
    logSkew(this.outages, skewMs, isPermitted ? '' : ', so this worker takes no work');
  }

  relayed(round: RelayedRound): void {
    this.metrics.events.inc(round.events);
    this.metrics.deliveries.inc(round.deliveries);
    if (round.oldestEventId !== null)
      this.metrics.relayLag.observe(secondsBetween(timeOfUuid(round.oldestEventId), round.now));
  }

  fed(count: number): void {
    if (count > 0) this.metrics.queued.inc(count);
  }

  leasesExpired(count: number): void {
    if (count > 0) this.metrics.leasesExpired.inc(count);
  }

  disabled({ webhookId, reason }: { webhookId: string; reason: DisabledReason }): void {
    this.metrics.disabled.inc({ reason });
    this.logger.warn({ webhook_id: webhookId, reason }, 'a webhook was disabled');
  }

  /** Mail servers repeat addresses, which must not be logged. */
  mailTried({ id, kind, messageId, tries }: ClaimedMail, outcome: SendOutcome): void {
    const { result } = outcome;
    const words = 'reason' in outcome ? outcome.reason.split(' ') : [];
    const reason = words.map((word) => (word.includes('@') ? '…' : word)).join(' ');
    this.metrics.mails.inc({ result });
    this.logger.info({ mail_id: id, kind, message_id: messageId, tries, result, reason }, 'mail');
  }

  /** The mailbox page shows the server’s text. */
  mailboxFailed({ id, host }: LeasedImap, { pauseMs }: ImapRelease): void {
    this.metrics.imapEnded.inc();
    this.logger.warn({ mailbox_id: id, host, pause_ms: pauseMs }, 'the connection of a mailbox ended');
  }

  taskFinished(task: string, report: Readonly<Record<string, number>>, durationMs: number): void {
    this.metrics.upkeepRuns.inc({ task, result: 'done' });
    this.metrics.upkeepRuns.inc({ task, result: 'failed' }, 0);
    for (const [what, count] of Object.entries(report)) this.metrics.upkeepFound.inc({ task, what }, count);
    this.logger.info({ task, ...report, duration_ms: Math.round(durationMs) }, 'upkeep');
  }

  taskFailed(task: string, error: unknown): void {
    this.metrics.upkeepRuns.inc({ task, result: 'failed' });
    this.logger.error({ err: error, task }, 'upkeep failed and will be retried');
  }
}

function pipelineMetrics(registry: Metrics) {
  const { counter, counterOf, gauge, histogram } = metricMakers(registry);
  return {
    events: counter('deskwire_events_relayed_total', 'Events that the relay turned into deliveries'),
    deliveries: counter('deskwire_deliveries_created_total', 'Deliveries created, one for each webhook'),
    leasesExpired: counter(
      'deskwire_leases_expired_total',
      'Deliveries that the queue lost and that were queued again',
    ),
    queued: counter('deskwire_deliveries_queued_total', 'Due deliveries that the feeder put into the queue'),
    interruptions: counter('deskwire_interruptions_total', 'Failures in the worker that were retried'),
    disabled: counterOf('deskwire_webhooks_disabled_total', 'Webhooks disabled automatically, by reason', {
      reason: ['gone', 'failing'],
    }),
    mails: counterOf('deskwire_mails_tried_total', 'Attempts to send an email, by result', {
      result: ['sent', 'postponed', 'refused', 'unsure', 'lost', 'caught'],
    }),
    imapEnded: counter('deskwire_imap_failures_total', 'IMAP connections of mailboxes that failed or ended'),
    upkeepRuns: counter('deskwire_upkeep_runs_total', 'Runs of upkeep tasks, by result', ['task', 'result']),
    upkeepFound: counter('deskwire_upkeep_found_total', 'Rows that upkeep tasks handled', ['task', 'what']),
    skew: gauge(
      'deskwire_clock_skew_seconds',
      'Seconds that the clock of this machine is ahead of the one of PostgreSQL',
    ),
    relayLag: histogram('deskwire_relay_lag_seconds', 'Time from an event to its deliveries'),
  };
}

export const secondsBetween = (from: Date, to: Date): number => Math.max(0, to.getTime() - from.getTime()) / 1000;
