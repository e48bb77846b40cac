import { Clock, type Database, later, uuidAt } from '#libs/database';
import type { NextStep } from '#libs/webhooks';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import {
  EVENT_ID,
  NOW,
  aDelivery,
  aFailure,
  aFinishedAttempt,
  aRetry,
  anAnswer,
} from '../../../../../test/support/attempts.js';
import { LeasesService } from '../queue/leases.service.js';
import { AttemptRecorder } from './attempt-recorder.js';

class FixedClock extends Clock {
  override now = (): Date => NOW;
}

let written: { text: string; values: unknown[] }[];
let inOutbox: string[];
let disables: boolean;
const telemetry = {
  finished: vi.fn<(attempt: unknown) => void>(),
  postponed: vi.fn<(reason: string) => void>(),
  worker: { relayed: vi.fn<(round: unknown) => void>(), disabled: vi.fn<(request: unknown) => void>() },
};

beforeEach(() => {
  [written, inOutbox, disables] = [[], [EVENT_ID], true];
  vi.clearAllMocks();
});

const rows = async ({ text }: { text: string }, values: unknown[]) => {
  written.push({ text, values });
  return inOutbox.map((id) => ({ id }));
};

function newRecorder(): AttemptRecorder {
  const database = { system: () => ({ rows }) } as unknown as Database;
  const clock = new FixedClock();
  const leases = new LeasesService(database, clock, {} as never);
  return new AttemptRecorder(database, clock, telemetry as never, { disable: async () => disables } as never, leases);
}

/** The rows of the only statement, as its `unnest` names their columns. */
function records(): Record<string, string | null>[] {
  const [{ text, values }] = written as [{ text: string; values: unknown[] }];
  const names = / as r\((.*?)\)/s.exec(text)![1]!.split(/,\s*/);
  const columns = names.map((name, place) => elements(values[place + 1], name));
  return columns[0]!.map((_value, row) =>
    Object.fromEntries(names.map((name, place) => [name, columns[place]![row]!])),
  );
}

function elements(value: unknown, column: string): (string | null)[] {
  if (Array.isArray(value)) return value as (string | null)[];
  const text = value as string;
  if (column === 'request_headers') return text.split('\n');
  return text
    .slice(1, -1)
    .split(',')
    .map((element) => (element === 'NULL' ? null : element));
}

const iso = (afterMs: number): string => later(NOW, afterMs).toISOString();

const settled = { next_attempt_at: null, paced_until: null };

describe('record', () => {
  it.each<[NextStep, object]>([
    [{ kind: 'delivered' }, { ...settled, state: 'delivered', next_reason: null }],
    [{ kind: 'cancelled' }, { ...settled, state: 'cancelled', next_reason: 'gone' }],
    [
      { kind: 'given_up', webhookPacedUntil: later(NOW, 3_000) },
      { ...settled, state: 'exhausted', next_reason: 'exhausted', paced_until: iso(3_000) },
    ],
    [aRetry, { state: 'pending', next_reason: 'retry_after', next_attempt_at: iso(5_000), paced_until: iso(4_000) }],
  ])('writes the step %o', async (step, expected) => {
    const delivery = aDelivery({ attempts: 2 });
    const attempt = aFinishedAttempt(delivery, anAnswer(503, 'busy'), step);
    await newRecorder().record(delivery, attempt);

    expect(records()).toEqual([
      {
        id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        account_id: 'account',
        webhook_id: 'webhook',
        delivery_id: delivery.deliveryId,
        number: '3',
        duration_ms: '12',
        status: '503',
        error: null,
        error_detail: null,
        response_body: 'busy',
        request_headers: JSON.stringify({ 'webhook-id': EVENT_ID }),
        started_at: iso(-1_000),
        slow_until: null,
        ...expected,
      },
    ]);
    expect(telemetry.finished).toHaveBeenCalledExactlyOnceWith(attempt);
  });

  it('marks the webhook as slow for half a minute after a time-out', async () => {
    const delivery = aDelivery();
    await newRecorder().record(delivery, aFinishedAttempt(delivery, aFailure('timeout'), aRetry));

    expect(records()).toMatchObject([
      { error: 'timeout', error_detail: 'why timeout', status: null, response_body: null, slow_until: iso(30_000) },
    ]);
  });

  it('marks no webhook as slow after another failure', async () => {
    const delivery = aDelivery();
    await newRecorder().record(delivery, aFinishedAttempt(delivery, aFailure('dns'), aRetry));

    expect(records()).toMatchObject([{ error: 'dns', error_detail: 'why dns', slow_until: null }]);
  });

  it('writes attempts that end together in one statement', async () => {
    const recorder = newRecorder();
    const deliveries = [aDelivery(), aDelivery(), aDelivery()];
    await Promise.all(deliveries.map((delivery) => recorder.record(delivery, aFinishedAttempt(delivery))));

    expect(records()).toHaveLength(3);
    expect(written).toHaveLength(1);
  });

  it('gives a postponed delivery back for that time', async () => {
    await newRecorder().record({ deliveryId: 'late', attempts: 2 }, { reason: 'busy', forMs: 700 });

    expect(written.map(({ values }) => values)).toEqual([[['late'], [2], [later(NOW, 700)]]]);
    expect(telemetry.postponed).toHaveBeenCalledExactlyOnceWith('busy');
    expect(telemetry.finished).not.toHaveBeenCalled();
  });

  it.each([
    ['counts the disabled webhook', true, 1],
    ['counts no webhook that was disabled before', false, 0],
  ])('%s after 410', async (_name, isNew, times) => {
    disables = isNew;
    const delivery = aDelivery();
    await newRecorder().record(delivery, aFinishedAttempt(delivery, anAnswer(410), { kind: 'cancelled' }));

    expect(telemetry.worker.disabled.mock.calls).toEqual(
      Array.from({ length: times }, () => [{ webhookId: 'webhook', reason: 'gone' }]),
    );
  });

  it('disables no webhook after other steps', async () => {
    const delivery = aDelivery();
    await newRecorder().record(delivery, aFinishedAttempt(delivery));

    expect(telemetry.worker.disabled).not.toHaveBeenCalled();
  });
});

const first = async (
  result: Parameters<AttemptRecorder['recordFirst']>[1][number]['result'],
  delivery = aDelivery(),
) => {
  await newRecorder().recordFirst(EVENT_ID, [{ delivery, result }]);
  return records()[0];
};

const event = (id: string) => ({ ...aDelivery().event, id });

describe('recordFirst', () => {
  const base = { event_id: EVENT_ID, kind: 'ticket_started', created_at: NOW.toISOString() };
  const unattempted = {
    ...base,
    ...settled,
    account_id: 'account',
    webhook_id: 'webhook',
    number: '0',
    duration_ms: '0',
    status: null,
    error: null,
    error_detail: null,
    response_body: null,
    request_headers: '{}',
    started_at: NOW.toISOString(),
    next_reason: null,
    slow_until: null,
    state: 'pending',
    next_attempt_at: NOW.toISOString(),
  };

  it('writes a delivered delivery as settled', async () => {
    const delivery = aDelivery();

    expect(await first(aFinishedAttempt(delivery), delivery)).toMatchObject({
      ...base,
      delivery_id: delivery.deliveryId,
      number: '1',
      queued: 'false',
      feed_at: null,
      state: 'delivered',
    });
  });

  it('writes a failed delivery as due at its next attempt', async () => {
    const delivery = aDelivery();

    expect(await first(aFinishedAttempt(delivery, anAnswer(503), aRetry), delivery)).toMatchObject({
      state: 'pending',
      queued: 'false',
      feed_at: iso(5_000),
    });
  });

  it('writes a running delivery under a lease, without an attempt', async () => {
    expect(await first(undefined)).toMatchObject({ ...unattempted, queued: 'true', feed_at: iso(9_000) });
  });

  it('writes a postponed delivery as due after the pause', async () => {
    expect(await first({ reason: 'busy', forMs: 700 })).toMatchObject({
      ...unattempted,
      queued: 'false',
      feed_at: iso(700),
    });
    expect(telemetry.postponed).toHaveBeenCalledExactlyOnceWith('busy');
  });

  it('counts events that left the outbox, their deliveries and the oldest event', async () => {
    const recorder = newRecorder();
    const older = uuidAt(later(NOW, -1_000));
    inOutbox = [EVENT_ID, older];
    const delivery = aDelivery({ event: event(older) });
    const attempt = aFinishedAttempt(delivery);
    const recorded = await Promise.all([
      recorder.recordFirst(EVENT_ID, [{ delivery: aDelivery(), result: undefined }]),
      recorder.recordFirst(older, [
        { delivery, result: attempt },
        { delivery: aDelivery({ event: event(older) }), result: undefined },
      ]),
      recorder.recordFirst('gone', [{ delivery: aDelivery({ event: event('gone') }), result: attempt }]),
    ]);

    expect(recorded).toEqual([true, true, false]);
    expect(telemetry.worker.relayed).toHaveBeenCalledExactlyOnceWith({
      events: 2,
      deliveries: 3,
      oldestEventId: [EVENT_ID, older].toSorted()[0],
      now: NOW,
    });
    expect(telemetry.finished).toHaveBeenCalledExactlyOnceWith(attempt);
  });

  it('has no oldest event when all have left the outbox before', async () => {
    inOutbox = [];

    expect(await newRecorder().recordFirst(EVENT_ID, [])).toBe(false);
    expect(telemetry.worker.relayed).toHaveBeenCalledWith(expect.objectContaining({ events: 0, oldestEventId: null }));
  });
});
