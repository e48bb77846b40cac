import { SEND_RESULTS } from '#libs/mail';
import { Counter, Histogram, type Metrics } from '#libs/telemetry';
import { POSTPONED_REASONS } from '../finished-attempt.js';

/** From a few milliseconds to the end of the retry schedule, about three days. */
const LATENCY_SECONDS = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15, 60, 300, 3_600, 21_600, 86_400, 259_200];
const ATTEMPT_SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15, 30];

/** Everything the pipeline counts. The names are a contract: dashboards and alert rules are held to them by a test. */
export function pipelineMetrics(registry: Metrics) {
  const registers = [registry];
  const counter = <Label extends string>(name: string, help: string, labelNames: Label[] = []) =>
    new Counter({ name, help, labelNames, registers });
  /** With every value it can have from the start, at 0: a rise from nothing would not be seen as one. */
  const counterOf = <Label extends string>(
    name: string,
    help: string,
    values: Readonly<Record<Label, readonly string[]>>,
  ) => {
    const made = counter<Label>(name, help, Object.keys(values) as Label[]);
    for (const [label, each] of Object.entries<readonly string[]>(values))
      for (const value of each) made.inc({ [label]: value } as Record<Label, string>, 0);
    return made;
  };
  const histogram = (name: string, help: string, buckets: number[]) =>
    new Histogram({ name, help, buckets, registers });
  return {
    events: counter('deskwire_events_relayed_total', 'Events that became deliveries'),
    deliveries: counter('deskwire_deliveries_created_total', 'Deliveries owed, one for each webhook'),
    settled: counterOf('deskwire_deliveries_settled_total', 'Deliveries that ended, and how', {
      state: ['delivered', 'exhausted', 'cancelled'],
    }),
    attempts: counter('deskwire_attempts_total', 'Requests to receivers, by what came of them', ['outcome']),
    held: counterOf('deskwire_deliveries_held_total', 'Due deliveries that were put off, and why', {
      reason: POSTPONED_REASONS,
    }),
    sweepFound: counter('deskwire_sweep_found_total', 'Queued deliveries not heard of again, and owed anew'),
    fed: counter('deskwire_fed_total', 'Owed deliveries put into the queue when they were due'),
    queueLost: counter('deskwire_queue_lost_total', 'Times the memory of the queue was found wiped or replaced'),
    interruptions: counter(
      'deskwire_interruptions_total',
      'Times something was away or went wrong and was tried again',
    ),
    disabled: counterOf('deskwire_webhooks_disabled_total', 'Webhooks switched off by a rule', {
      reason: ['gone', 'failing'],
    }),
    notices: counterOf('deskwire_notices_total', 'Mails about disabled webhooks, by what came of them', {
      result: SEND_RESULTS,
    }),
    upkeepRuns: counter('deskwire_upkeep_runs_total', 'Turns of the tasks of upkeep', ['task', 'result']),
    upkeepFound: counter('deskwire_upkeep_found_total', 'What the tasks of upkeep did, in numbers', ['task', 'what']),
    relayLag: histogram('deskwire_relay_lag_seconds', 'From an event to its deliveries', LATENCY_SECONDS),
    toFirstAttempt: histogram(
      'deskwire_first_attempt_latency_seconds',
      'From an event to the first request for it',
      LATENCY_SECONDS,
    ),
    toDelivered: histogram(
      'deskwire_delivered_latency_seconds',
      'From an event to its acceptance by a receiver',
      LATENCY_SECONDS,
    ),
    attemptTime: histogram('deskwire_attempt_duration_seconds', 'One request, to its end', ATTEMPT_SECONDS),
  };
}
