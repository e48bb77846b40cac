import { SEND_RESULTS } from '#libs/mail';
import type { Metrics } from '#libs/telemetry';
import { metricMakers } from './metric-makers.js';

/** What the worker counts, apart from attempts. */
export function pipelineMetrics(registry: Metrics) {
  const { counter, counterOf, histogram } = metricMakers(registry);
  return {
    events: counter('deskwire_events_relayed_total', 'Events that became deliveries'),
    deliveries: counter('deskwire_deliveries_created_total', 'Deliveries owed, one for each webhook'),
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
    relayLag: histogram('deskwire_relay_lag_seconds', 'From an event to its deliveries'),
  };
}
