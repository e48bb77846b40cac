import { SETTINGS_TOKEN, type Settings } from '#libs/settings';
import { LOGGER, type Logger, Metrics, metricMakers, registerGauge, traceIdOf } from '#libs/telemetry';
import type { AttemptOutcome } from '#libs/delivery';
import { Inject, Injectable } from '@nestjs/common';
import { ReceiverLimitersService } from '../limits/receiver-limiters.service.js';
import { WorkerMetrics, secondsBetween } from '../../telemetry/worker-metrics.js';
import { type FinishedAttempt, POSTPONED_REASONS, type PostponedReason } from './due-delivery.js';

const ATTEMPT_SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15, 30];
const SETTLED_STATES = { delivered: 'delivered', cancelled: 'cancelled', given_up: 'exhausted' } as const;

@Injectable()
export class AttemptMetrics {
  private readonly metrics: ReturnType<typeof attemptMetrics>;
  private readonly logger: Logger;

  constructor(
    registry: Metrics,
    @Inject(LOGGER) logger: Logger,
    @Inject(SETTINGS_TOKEN) private readonly settings: Settings,
    readonly worker: WorkerMetrics,
    limiters: ReceiverLimitersService,
  ) {
    registerGauge(registry, {
      name: 'deskwire_host_waiting',
      help: 'Deliveries in this process that are waiting for their host',
      read: () => limiters.waitingForHosts,
    });
    this.metrics = attemptMetrics(registry);
    this.logger = logger.child({}, { level: settings.ATTEMPT_LOG_LEVEL });
  }

  finished(attempt: FinishedAttempt): void {
    this.count(attempt);
    const { delivery, request, outcome, step } = attempt;
    const oneIn = step.kind === 'delivered' ? this.settings.ATTEMPT_LOG_ONE_IN : 1;
    const level = step.kind === 'delivered' ? 'info' : 'warn';
    if (!this.logger.isLevelEnabled(level) || !isSampled(delivery.event.id, oneIn)) return;
    this.logger[level](
      {
        request_id: delivery.event.requestId,
        trace_id: traceIdOf(delivery.event.traceparent),
        event_id: delivery.event.id,
        delivery_id: delivery.deliveryId,
        webhook_id: delivery.webhookId,
        account_id: delivery.accountId,
        kind: delivery.kind,
        attempt: delivery.attempts + 1,
        status: outcome.status,
        error: outcome.kind === 'failed' ? outcome.error : undefined,
        duration_ms: Math.round(outcome.durationMs),
        since_event_ms: request.startedAt.getTime() - delivery.event.createdAt.getTime(),
        next: step.kind,
        next_at: step.kind === 'retrying' ? step.at : undefined,
        one_in: oneIn > 1 ? oneIn : undefined,
      },
      'attempt',
    );
  }

  postponed(reason: PostponedReason): void {
    this.metrics.postponed.inc({ reason });
  }

  private count({ delivery, request, outcome, step }: FinishedAttempt): void {
    const { metrics } = this;
    const { createdAt } = delivery.event;
    metrics.attempts.inc({ outcome: outcomeLabel(outcome) });
    metrics.attemptTime.observe(outcome.durationMs / 1000);
    const latency = secondsBetween(createdAt, request.startedAt);
    if (delivery.attempts === 0) metrics.toFirstAttempt.observe(latency);
    if (step.kind === 'retrying') return;
    metrics.settled.inc({ state: SETTLED_STATES[step.kind] });
    if (step.kind === 'delivered') metrics.toDelivered.observe(latency + outcome.durationMs / 1000);
  }
}

/** The end of an event id is random, and every process logs the same events. */
const isSampled = (eventId: string, oneIn: number): boolean => Number.parseInt(eventId.slice(-12), 16) % oneIn === 0;

function attemptMetrics(registry: Metrics) {
  const { counter, counterOf, histogram } = metricMakers(registry);
  return {
    settled: counterOf('deskwire_deliveries_settled_total', 'Deliveries that ended, by state', {
      state: Object.values(SETTLED_STATES),
    }),
    attempts: counter('deskwire_attempts_total', 'Requests to receivers, by outcome', ['outcome']),
    postponed: counterOf('deskwire_deliveries_postponed_total', 'Due deliveries that were postponed, by reason', {
      reason: POSTPONED_REASONS,
    }),
    toFirstAttempt: histogram('deskwire_first_attempt_latency_seconds', 'Time from an event to its first request'),
    toDelivered: histogram('deskwire_delivered_latency_seconds', 'Time from an event to its acceptance by a receiver'),
    attemptTime: histogram('deskwire_attempt_duration_seconds', 'Duration of one request', ATTEMPT_SECONDS),
  };
}

function outcomeLabel(outcome: AttemptOutcome): string {
  return outcome.kind === 'failed' ? outcome.error : `${Math.floor(outcome.status / 100)}xx`;
}
