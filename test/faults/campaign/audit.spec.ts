import { randomBytes } from 'node:crypto';
import { Webhook as StandardWebhook } from 'standardwebhooks';
import { describe, expect, it } from 'vitest';
import { type AuditInput, type AuditedWebhook, audit } from './audit.js';
import type { Arrival } from './unreliable-receiver.js';

const SECRET = `whsec_${randomBytes(32).toString('base64')}`;
const PAIR = { eventId: 'event-1', webhookId: 'webhook-1' };

const webhook: AuditedWebhook = {
  webhookId: 'webhook-1',
  accountId: 'account-1',
  kind: 'note_added',
  path: '/1',
  secret: SECRET,
  mayBeExhausted: false,
};
const event = { id: 'event-1', accountId: 'account-1', kind: 'note_added', payload: '{"a":1}', requestId: 'call-1' };
const call = { requestId: 'call-1', emits: ['note_added'], status: 201, answeredAtMs: 0 } as const;

function arrivalOf(eventId = 'event-1', body = event.payload, at = new Date()): Arrival {
  const headers = {
    'webhook-id': eventId,
    'webhook-timestamp': `${Math.floor(at.getTime() / 1000)}`,
    'webhook-signature': new StandardWebhook(SECRET).sign(eventId, at, body),
  };
  return { path: '/1', headers, body, atMs: at.getTime(), from: '127.0.0.1' };
}

/** One event for one webhook, delivered. Tests remove parts. */
function auditWith({
  records,
  ...rest
}: Partial<Omit<AuditInput, 'records'>> & { records?: Partial<AuditInput['records']> } = {}) {
  const deliveries = [{ ...PAIR, state: 'delivered', attempts: 1 }];
  return audit({
    webhooks: [webhook],
    calls: [call],
    arrivals: [arrivalOf()],
    maxAttempts: 3,
    ...rest,
    records: { events: [event], owed: [], deliveries, timeouts: [], ...records },
  });
}

function auditExhausted(attempts: number, mayBeExhausted: boolean) {
  return auditWith({
    webhooks: [{ ...webhook, mayBeExhausted }],
    arrivals: [],
    records: { deliveries: [{ ...PAIR, state: 'exhausted', attempts }] },
  });
}

describe('the audit of a fault campaign', () => {
  it('finds nothing when everything arrived once', () => {
    expect(auditWith()).toMatchObject({ due: 1, arrived: 1, duplicates: 0, lost: [], problems: [] });
  });

  it('finds nothing an hour later either', () => {
    const arrival = arrivalOf('event-1', event.payload, new Date(Date.now() - 3_600_000));
    expect(auditWith({ arrivals: [arrival] }).problems).toEqual([]);
  });

  it('finds lost deliveries, whatever the deliveries table contains', () => {
    const { lost, problems } = auditWith({ arrivals: [] });

    expect(lost).toEqual(['event event-1 webhook webhook-1']);
    expect(problems).toEqual(['lost: event event-1 webhook webhook-1']);
  });

  it('fails for owed deliveries, without counting them as lost', () => {
    expect(auditWith({ arrivals: [], records: { owed: [PAIR] } })).toMatchObject({
      lost: [],
      problems: ['still owed: event event-1 webhook webhook-1'],
    });
  });

  it('counts deliveries that arrived again', () => {
    expect(auditWith({ arrivals: [arrivalOf(), arrivalOf(), arrivalOf()] })).toMatchObject({
      duplicates: 2,
      problems: [],
    });
  });

  it('distinguishes duplicates that were due because the response came after the deadline', () => {
    const arrivals = [arrivalOf(), arrivalOf(), arrivalOf()];

    expect(auditWith({ arrivals, records: { timeouts: [PAIR] } })).toMatchObject({ duplicates: 1, answeredLate: 1 });
  });

  it('finds arrivals without a commit', () => {
    expect(auditWith({ arrivals: [arrivalOf(), arrivalOf('event-2')] }).problems).toEqual([
      'arrived, never committed: event event-2 webhook webhook-1',
    ]);
  });

  it.each([
    ['altered', arrivalOf('event-1', '{"a":2}'), 'arrived altered: event event-1 webhook webhook-1'],
    [
      'wrongly signed',
      { ...arrivalOf(), headers: { ...arrivalOf().headers, 'webhook-signature': 'v1,AAAA' } },
      'arrived with a wrong signature: event event-1 webhook webhook-1',
    ],
    [
      'signed six minutes before',
      { ...arrivalOf(), atMs: Date.now() + 6 * 60_000 },
      'arrived with a wrong signature: event event-1 webhook webhook-1',
    ],
  ])('finds deliveries that arrived %s', (_how, arrival, problem) => {
    expect(auditWith({ arrivals: [arrival] }).problems).toEqual([problem]);
  });

  it('finds calls that succeeded without a commit', () => {
    expect(auditWith({ arrivals: [], records: { events: [], deliveries: [] } }).problems).toEqual([
      'the call call-1 was answered 201 and committed nothing, not note_added',
    ]);
  });

  it.each([0, 503])('accepts an unknown outcome after %d if nothing is half done', (status) => {
    const emits = ['note_added', 'ticket_opened'] as const;

    expect(auditWith({ calls: [{ ...call, status }] })).toMatchObject({ unknown: 1, problems: [] });
    expect(auditWith({ calls: [{ ...call, emits, status }] }).problems).toEqual([
      `the call call-1 was answered ${status} and left a part behind: note_added of note_added,ticket_opened`,
    ]);
  });

  it.each([404, 500])('reports an unexpected %d', (status) => {
    expect(auditWith({ calls: [{ ...call, status }] }).problems).toEqual([
      `the call call-1 was answered ${status}, which it had no reason for`,
    ]);
  });

  it('allows giving up only after all attempts at a receiver with an outage', () => {
    expect(auditExhausted(3, true)).toMatchObject({ exhausted: 1, lost: [], problems: [] });
    expect(auditExhausted(2, true).problems).toEqual(['given up after 2 attempts: event event-1 webhook webhook-1']);
    expect(auditExhausted(3, false).problems).toEqual([
      'given up although its receiver was well: event event-1 webhook webhook-1',
    ]);
  });

  it('finds a delivery that exists twice or matches no webhook', () => {
    const delivered = { ...PAIR, state: 'delivered', attempts: 1 };
    const deliveries = [delivered, delivered, { ...delivered, webhookId: 'webhook-2' }];

    expect(auditWith({ records: { deliveries } }).problems).toEqual([
      'owed twice over: event event-1 webhook webhook-1',
      'owed although nobody wanted it: event event-1 webhook webhook-2',
    ]);
  });
});
