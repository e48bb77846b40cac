import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type AttemptOutcome, nextStep, type EndedAttempt, type NextStep } from './retry-policy.js';

const now = new Date('2026-03-01T12:00:00.000Z');
const HOUR = 3_600_000;
const THREE_DAYS = [5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400].map((seconds) => seconds * 1000);

const anAnswer = (status: number, retryAfter: string | null = null): AttemptOutcome => ({
  kind: status >= 200 && status < 300 ? 'delivered' : 'answered',
  status,
  retryAfter,
  body: '',
  truncated: false,
  durationMs: 10,
});

const aFailure: AttemptOutcome = {
  kind: 'failed',
  error: 'timeout',
  detail: 'no complete response within 15000 ms',
  status: null,
  body: '',
  truncated: false,
  durationMs: 15_000,
};

const decide = (outcome: AttemptOutcome, overrides: Partial<EndedAttempt> = {}): NextStep =>
  nextStep({ attempt: 1, outcome, schedule: THREE_DAYS, now, random: () => 0.5, ...overrides });

const waitOf = (step: NextStep): number => (step.kind === 'retrying' ? step.at.getTime() - now.getTime() : NaN);
const paceOf = (step: NextStep): number | null =>
  'webhookRetryAfterUntil' in step && step.webhookRetryAfterUntil
    ? step.webhookRetryAfterUntil.getTime() - now.getTime()
    : null;

const isInTime = (attempt: number, outcome: AttemptOutcome, draw: number): boolean => {
  const step = decide(outcome, { attempt, random: () => draw });
  const planned = THREE_DAYS[attempt - 1] ?? NaN;
  const latest = Math.max(planned * 1.1, 24 * HOUR);
  return step.kind !== 'retrying' || (waitOf(step) >= planned * 0.9 && waitOf(step) <= latest + 1);
};

const restsSanely = (attempt: number, outcome: AttemptOutcome, draw: number): boolean => {
  const pace = paceOf(decide(outcome, { attempt, random: () => draw }));
  return pace === null || (pace >= 0 && pace <= 24 * HOUR);
};

const endsForAReason = (outcome: AttemptOutcome): boolean => {
  const { kind } = decide(outcome);
  const arrived = outcome.kind === 'delivered';
  const gone = outcome.kind === 'answered' && outcome.status === 410;
  return kind === (arrived ? 'delivered' : gone ? 'cancelled' : 'retrying');
};

describe('nextStep', () => {
  it.each([200, 201, 202, 204, 299])('settles the delivery after %d', (status) => {
    expect(decide(anAnswer(status))).toEqual({ kind: 'delivered' });
  });

  it('cancels the delivery after 410, at any attempt', () => {
    expect(decide(anAnswer(410))).toEqual({ kind: 'cancelled' });
    expect(decide(anAnswer(410), { attempt: 10 })).toEqual({ kind: 'cancelled' });
  });

  it.each([301, 302, 307, 308, 400, 401, 404, 409, 418, 429, 500, 502, 503, 504])('retries after %d', (status) => {
    expect(decide(anAnswer(status))).toMatchObject({
      kind: 'retrying',
      reason: 'schedule',
      webhookRetryAfterUntil: null,
    });
  });

  it('retries after a 410 that broke off', () => {
    expect(decide({ ...aFailure, error: 'reset', status: 410 })).toMatchObject({ kind: 'retrying' });
  });
});

describe('the schedule', () => {
  it('makes ten attempts in about three days', () => {
    const waits = THREE_DAYS.map((_wait, index) => waitOf(decide(aFailure, { attempt: index + 1 })));

    expect(waits).toEqual([5_000, 300_000, 1_800_000, ...[2, 5, 10, 14, 20, 24].map((hours) => hours * HOUR)]);
    expect(decide(aFailure, { attempt: 10 })).toEqual({ kind: 'given_up', webhookRetryAfterUntil: null });
  });

  it('spreads the wait by a tenth in both directions', () => {
    expect(waitOf(decide(aFailure, { random: () => 0 }))).toBe(4_500);
    expect(waitOf(decide(aFailure, { random: () => 0.999_999 }))).toBe(5_500);
  });

  it('follows another schedule', () => {
    expect(waitOf(decide(aFailure, { schedule: [100, 200], attempt: 2 }))).toBe(200);
    expect(decide(aFailure, { schedule: [100, 200], attempt: 3 }).kind).toBe('given_up');
    expect(decide(aFailure, { schedule: [] }).kind).toBe('given_up');
  });
});

describe('Retry-After', () => {
  it.each([
    ['60', 60_000, 60_000],
    ['Sun, 01 Mar 2026 13:00:00 GMT', HOUR, HOUR],
    ['86400', 24 * HOUR, 24 * HOUR],
    ['999999999999999999999', 24 * HOUR, 24 * HOUR],
  ])('obeys Retry-After: %s, up to a day', (header, earliest, pace) => {
    for (const status of [429, 503]) {
      const step = decide(anAnswer(status, header), { random: () => 0 });
      expect(step).toMatchObject({ kind: 'retrying', reason: 'retry_after' });
      expect([waitOf(step), paceOf(step)]).toEqual([earliest, pace]);
    }
  });

  it('spreads Retry-After to later only, so that postponed deliveries come neither at once nor too early', () => {
    expect(waitOf(decide(anAnswer(429, '100'), { random: () => 0 }))).toBe(100_000);
    expect(waitOf(decide(anAnswer(429, '100'), { random: () => 0.5 }))).toBe(105_000);
  });

  it.each([
    ['shorter', '30', 30_000],
    ['as long', '7200', 2 * HOUR],
  ])('keeps the schedule when Retry-After is %s, and paces the webhook for the requested time', (_, header, pace) => {
    const step = decide(anAnswer(503, header), { attempt: 4 });

    expect(step).toMatchObject({ kind: 'retrying', reason: 'schedule' });
    expect([waitOf(step), paceOf(step)]).toEqual([2 * HOUR, pace]);
  });

  it('paces the webhook when it gives up the delivery', () => {
    const step = decide(anAnswer(429, '60'), { attempt: 10 });

    expect([step.kind, paceOf(step)]).toEqual(['given_up', 60_000]);
  });

  it('keeps the schedule if Retry-After is invalid', () => {
    expect(decide(anAnswer(429, 'soon'))).toMatchObject({ reason: 'schedule', webhookRetryAfterUntil: null });
  });

  it.each([301, 400, 500, 502])('ignores Retry-After on a %d', (status) => {
    expect(decide(anAnswer(status, '60'))).toMatchObject({ reason: 'schedule', webhookRetryAfterUntil: null });
  });
});

describe('the response of a receiver', () => {
  const attempts = fc.integer({ min: 1, max: THREE_DAYS.length });
  const headers = fc.oneof(
    fc.constant(null),
    fc.string({ unit: 'binary' }),
    fc.bigInt({ min: 0n, max: 10n ** 40n }).map(String),
    fc.date({ noInvalidDate: true }).map((date) => date.toUTCString()),
  );
  const answers = fc
    .tuple(fc.integer({ min: 100, max: 599 }), headers)
    .map(([status, header]) => anAnswer(status, header));
  const outcomes = fc.oneof(answers, fc.constant(aFailure));
  const draws = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });

  it('schedules the next attempt within a tenth of the schedule, or within a day', () => {
    expect(() => fc.assert(fc.property(attempts, outcomes, draws, isInTime), { numRuns: 2_000 })).not.toThrow();
  });

  it('paces the webhook for a day at most, and never into the past', () => {
    expect(() => fc.assert(fc.property(attempts, outcomes, draws, restsSanely), { numRuns: 2_000 })).not.toThrow();
  });

  it('settles only deliveries that arrived, are gone, or had all attempts', () => {
    expect(() => fc.assert(fc.property(outcomes, endsForAReason), { numRuns: 2_000 })).not.toThrow();
  });
});
