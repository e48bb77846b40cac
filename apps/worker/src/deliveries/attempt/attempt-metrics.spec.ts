import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Settings } from '#libs/settings';
import { Metrics, OutageLog } from '#libs/telemetry';
import type { AttemptOutcome, NextStep } from '#libs/delivery';
import { pino } from 'pino';
import { describe, expect, it } from 'vitest';
import { EVENT_ID, aDelivery, aFailure, aFinishedAttempt, aRetry, anAnswer } from '#test/support/attempts.js';
import { LiveWorkersService } from '../../live-workers.service.js';
import { WorkerMetrics } from '../../telemetry/worker-metrics.js';
import { ReceiverLimitersService } from '../limits/receiver-limiters.service.js';
import { AttemptMetrics } from './attempt-metrics.js';
import type { FinishedAttempt } from './due-delivery.js';

function newMetrics({ oneIn = 1, level = 'info' } = {}) {
  const registry = new Metrics('worker');
  const lines: Record<string, unknown>[] = [];
  const write = (line: string) => void lines.push(JSON.parse(line));
  const logger = pino({ level: 'error', base: null, timestamp: false }, { write });
  const settings = { ATTEMPT_LOG_LEVEL: level, ATTEMPT_LOG_ONE_IN: oneIn } as Settings;
  const bounds = { WORKER_CONCURRENCY: 8, WEBHOOK_HOST_CONCURRENCY: 1, WEBHOOK_HOST_PER_SECOND: 8 };
  const limiters = new ReceiverLimitersService(bounds, { mark: () => undefined }, new LiveWorkersService());
  const worker = new WorkerMetrics(registry, logger, new OutageLog(logger));
  return { registry, limiters, lines, metrics: new AttemptMetrics(registry, logger, settings, worker, limiters) };
}

/** Samples of deskwire metrics without the label of the program, except for those that are 0. */
async function samples(registry: Metrics): Promise<Record<string, number>> {
  const found = [...(await registry.metrics()).matchAll(/^deskwire_(\w+)(?:\{(.*)\})? (\S+)$/gm)].map(
    ([, name, labels = '', value]) => {
      const kept = labels.split(',').filter((label) => !label.startsWith('app=') && !label.startsWith('le='));
      return [[name, ...kept].join(' '), Number(value), labels.includes('le=')] as const;
    },
  );
  return Object.fromEntries(
    found
      .filter(([name, value, isBucket]) => !isBucket && value !== 0 && !name.startsWith('build'))
      .map(([name, value]) => [name, value]),
  );
}

const ofAttempts = (attempts: number, outcome: AttemptOutcome, step: NextStep): FinishedAttempt =>
  aFinishedAttempt(aDelivery({ attempts }), outcome, step);

const TIMED = { attempt_duration_seconds_sum: 0.0124, attempt_duration_seconds_count: 1 };

describe('the counts', () => {
  it('start at 0 for every state and reason', async () => {
    const { registry } = newMetrics();
    const text = await registry.metrics();
    const valuesOf = (name: string) =>
      [...text.matchAll(new RegExp(`^${name}\\{.*?="(\\w+)",app="worker"\\} 0$`, 'gm'))].map(([, value]) => value);

    expect(valuesOf('deskwire_deliveries_settled_total')).toEqual(['delivered', 'cancelled', 'exhausted']);
    expect(valuesOf('deskwire_deliveries_postponed_total')).toEqual([
      'silent',
      'busy',
      'host',
      'no_secret',
      'paused',
      'retry_after',
      'stopping',
    ]);
  });

  it.each<[string, FinishedAttempt, Record<string, number>]>([
    [
      'a first delivered attempt',
      ofAttempts(0, anAnswer(204), { kind: 'delivered' }),
      {
        'attempts_total outcome="2xx"': 1,
        ...TIMED,
        first_attempt_latency_seconds_sum: 1,
        first_attempt_latency_seconds_count: 1,
        'deliveries_settled_total state="delivered"': 1,
        delivered_latency_seconds_sum: 1.0124,
        delivered_latency_seconds_count: 1,
      },
    ],
    ['a second failed attempt', ofAttempts(1, anAnswer(503), aRetry), { 'attempts_total outcome="5xx"': 1, ...TIMED }],
    [
      'a last attempt that timed out',
      ofAttempts(9, aFailure('timeout'), { kind: 'given_up', webhookRetryAfterUntil: null }),
      {
        'attempts_total outcome="timeout"': 1,
        attempt_duration_seconds_sum: 15,
        attempt_duration_seconds_count: 1,
        'deliveries_settled_total state="exhausted"': 1,
      },
    ],
    [
      'an attempt that found the receiver gone',
      ofAttempts(1, anAnswer(410), { kind: 'cancelled' }),
      { 'attempts_total outcome="4xx"': 1, ...TIMED, 'deliveries_settled_total state="cancelled"': 1 },
    ],
  ])('count %s', async (_name, attempt, expected) => {
    const { registry, metrics } = newMetrics();
    metrics.finished(attempt);

    expect(await samples(registry)).toEqual(expected);
  });

  it('count postponed deliveries by reason', async () => {
    const { registry, metrics, limiters } = newMetrics();
    for (const webhookId of ['one', 'two', 'three', 'four'])
      void limiters.acquire({ accountId: 'account', webhookId, url: 'https://hooks.example/' });
    await nextTurn();
    metrics.postponed('retry_after');

    expect(await samples(registry)).toEqual({ 'deliveries_postponed_total reason="retry_after"': 1, host_waiting: 3 });
  });
});

describe('the log line of an attempt', () => {
  it('names the event, the delivery, the result and the time since the event', () => {
    const { metrics, lines } = newMetrics();
    const delivery = aDelivery();
    metrics.finished(aFinishedAttempt(delivery));

    expect(lines).toEqual([
      {
        level: 30,
        msg: 'attempt',
        request_id: 'request',
        event_id: EVENT_ID,
        delivery_id: delivery.deliveryId,
        webhook_id: 'webhook',
        account_id: 'account',
        kind: 'ticket_started',
        attempt: 1,
        status: 204,
        duration_ms: 12,
        since_event_ms: 1_000,
        next: 'delivered',
      },
    ]);
  });

  it('writes a warning with the error and the next time after a failure', () => {
    const { metrics, lines } = newMetrics({ oneIn: 1_000 });
    metrics.finished(ofAttempts(2, aFailure('dns'), aRetry));

    expect(lines).toMatchObject([
      {
        level: 40,
        attempt: 3,
        status: null,
        error: 'dns',
        next: 'retrying',
        next_at: '2030-01-01T12:00:05.000Z',
      },
    ]);
    expect(lines[0]).not.toHaveProperty('one_in');
  });

  it.each([
    [6, [{ one_in: 6 }]],
    [4, []],
  ])('of a delivered attempt is written for one in %d events', (oneIn, expected) => {
    const { metrics, lines } = newMetrics({ oneIn });
    metrics.finished(aFinishedAttempt(aDelivery()));

    expect(lines).toMatchObject(expected);
  });

  it('writes nothing below the level', () => {
    const { metrics, lines } = newMetrics({ level: 'warn' });
    metrics.finished(aFinishedAttempt(aDelivery()));

    expect(lines).toEqual([]);
  });
});
