import { randomBytes } from 'node:crypto';
import { Webhook as StandardWebhook } from 'standardwebhooks';
import { describe, expect, it } from 'vitest';
import { type AuditInput, type AuditedWebhook, audit } from './audit.js';
import type { Arrival } from './unreliable-receiver.js';

const SECRET = `whsec_${randomBytes(32).toString('base64')}`;
const PAIR = { eventId: 'event-1', webhookId: 'webhook-1' };
const HERE = 'event event-1 webhook webhook-1';
const DELIVERED = { ...PAIR, state: 'delivered', attempts: 1 };
const AN_HOUR_AGO = new Date(Date.now() - 3_600_000);

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
  return audit({
    webhooks: [webhook],
    calls: [call],
    arrivals: [arrivalOf()],
    maxAttempts: 3,
    ...rest,
    records: { events: [event], owed: [], deliveries: [DELIVERED], timeouts: [], ...records },
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

  it('counts lost deliveries, whatever the deliveries table contains, but not owed ones', () => {
    expect(auditWith({ arrivals: [] }).lost).toEqual([HERE]);
    expect(auditWith({ arrivals: [], records: { owed: [PAIR] } }).lost).toEqual([]);
  });

  it.each<[string, Parameters<typeof auditWith>[0], string[]]>([
    ['nothing an hour later', { arrivals: [arrivalOf('event-1', event.payload, AN_HOUR_AGO)] }, []],
    ['a lost delivery', { arrivals: [] }, [`lost: ${HERE}`]],
    ['an owed delivery', { arrivals: [], records: { owed: [PAIR] } }, [`still owed: ${HERE}`]],
    [
      'an arrival without a commit',
      { arrivals: [arrivalOf(), arrivalOf('event-2')] },
      ['arrived, never committed: event event-2 webhook webhook-1'],
    ],
    ['an altered arrival', { arrivals: [arrivalOf('event-1', '{"a":2}')] }, [`arrived altered: ${HERE}`]],
    [
      'a wrong signature',
      { arrivals: [{ ...arrivalOf(), headers: { ...arrivalOf().headers, 'webhook-signature': 'v1,AAAA' } }] },
      [`arrived with a wrong signature: ${HERE}`],
    ],
    [
      'a signature from six minutes before',
      { arrivals: [{ ...arrivalOf(), atMs: Date.now() + 6 * 60_000 }] },
      [`arrived with a wrong signature: ${HERE}`],
    ],
    [
      'a call that succeeded without a commit',
      { arrivals: [], records: { events: [], deliveries: [] } },
      ['the call call-1 was answered 201 and committed nothing, not note_added'],
    ],
    [
      'a delivery that exists twice or matches no webhook',
      { records: { deliveries: [DELIVERED, DELIVERED, { ...DELIVERED, webhookId: 'webhook-2' }] } },
      [`owed twice over: ${HERE}`, 'owed although nobody wanted it: event event-1 webhook webhook-2'],
    ],
    ...[404, 500].map((status): [string, Parameters<typeof auditWith>[0], string[]] => [
      `an unexpected ${status}`,
      { calls: [{ ...call, status }] },
      [`the call call-1 was answered ${status}, which it had no reason for`],
    ]),
  ])('finds %s', (_what, evidence, problems) => {
    expect(auditWith(evidence).problems).toEqual(problems);
  });

  it('counts deliveries that arrived again', () => {
    const arrivals = [arrivalOf(), arrivalOf(), arrivalOf()];

    expect(auditWith({ arrivals })).toMatchObject({ duplicates: 2, problems: [] });
  });

  it('distinguishes duplicates that were due because the response came after the deadline', () => {
    const arrivals = [arrivalOf(), arrivalOf(), arrivalOf()];

    expect(auditWith({ arrivals, records: { timeouts: [PAIR] } })).toMatchObject({ duplicates: 1, answeredLate: 1 });
  });

  it.each([0, 503])('accepts an unknown outcome after %d if nothing is half done', (status) => {
    const emits = ['note_added', 'ticket_opened'] as const;

    expect(auditWith({ calls: [{ ...call, status }] })).toMatchObject({ unknown: 1, problems: [] });
    expect(auditWith({ calls: [{ ...call, emits, status }] }).problems).toEqual([
      `the call call-1 was answered ${status} and left a part behind: note_added of note_added,ticket_opened`,
    ]);
  });

  it('allows giving up only after all attempts at a receiver with an outage', () => {
    expect(auditExhausted(3, true)).toMatchObject({ exhausted: 1, lost: [], problems: [] });
    expect(auditExhausted(2, true).problems).toEqual([`given up after 2 attempts: ${HERE}`]);
    expect(auditExhausted(3, false).problems).toEqual([`given up although its receiver was well: ${HERE}`]);
  });
});
