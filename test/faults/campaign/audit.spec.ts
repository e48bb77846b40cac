import { randomBytes } from 'node:crypto';
import { Webhook as StandardWebhook } from 'standardwebhooks';
import { describe, expect, it } from 'vitest';
import { type Evidence, type Registered, audit } from './ledger.js';
import type { Arrival } from './unreliable-receiver.js';

const SECRET = `whsec_${randomBytes(32).toString('base64')}`;
const PAIR = { eventId: 'event-1', webhookId: 'webhook-1' };

const webhook: Registered = {
  webhookId: 'webhook-1',
  accountId: 'account-1',
  kind: 'note_added',
  path: '/1',
  secret: SECRET,
  mayExhaust: false,
};
const event = { id: 'event-1', accountId: 'account-1', kind: 'note_added', payload: '{"a":1}', requestId: 'call-1' };
const call = { requestId: 'call-1', emits: ['note_added'], status: 201 } as const;

function arrivalOf(eventId = 'event-1', body = event.payload): Arrival {
  const at = new Date();
  const headers = {
    'webhook-id': eventId,
    'webhook-timestamp': `${Math.floor(at.getTime() / 1000)}`,
    'webhook-signature': new StandardWebhook(SECRET).sign(eventId, at, body),
  };
  return { path: '/1', headers, body };
}

/** One event, one webhook, delivered; less whatever a test takes away. */
function evidence({ books, ...rest }: Partial<Omit<Evidence, 'books'>> & { books?: Partial<Evidence['books']> } = {}) {
  const deliveries = [{ ...PAIR, state: 'delivered', attempts: 1 }];
  return audit({
    webhooks: [webhook],
    calls: [call],
    arrivals: [arrivalOf()],
    mostAttempts: 3,
    ...rest,
    books: { events: [event], owed: [], deliveries, timeouts: [], ...books },
  });
}

function givenUp(attempts: number, mayExhaust: boolean) {
  return evidence({
    webhooks: [{ ...webhook, mayExhaust }],
    arrivals: [],
    books: { deliveries: [{ ...PAIR, state: 'exhausted', attempts }] },
  });
}

describe('the ledger of a fault campaign', () => {
  it('has nothing to say where everything arrived once', () => {
    expect(evidence()).toMatchObject({ due: 1, arrived: 1, duplicates: 0, lost: [], problems: [] });
  });

  it('finds what was lost, whatever the deliveries say', () => {
    const { lost, problems } = evidence({ arrivals: [] });

    expect(lost).toEqual(['event event-1 webhook webhook-1']);
    expect(problems).toEqual(['lost: event event-1 webhook webhook-1']);
  });

  it('does not call lost what is still owed, but does not let it pass', () => {
    expect(evidence({ arrivals: [], books: { owed: [PAIR] } })).toMatchObject({
      lost: [],
      problems: ['still owed: event event-1 webhook webhook-1'],
    });
  });

  it('counts what arrived again', () => {
    expect(evidence({ arrivals: [arrivalOf(), arrivalOf(), arrivalOf()] })).toMatchObject({
      duplicates: 2,
      problems: [],
    });
  });

  it('tells apart what had to come again because the answer came after the deadline', () => {
    const arrivals = [arrivalOf(), arrivalOf(), arrivalOf()];

    expect(evidence({ arrivals, books: { timeouts: [PAIR] } })).toMatchObject({ duplicates: 1, answeredLate: 1 });
  });

  it('finds what arrived without having been committed', () => {
    expect(evidence({ arrivals: [arrivalOf(), arrivalOf('event-2')] }).problems).toEqual([
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
  ])('finds what arrived %s', (_how, arrival, problem) => {
    expect(evidence({ arrivals: [arrival] }).problems).toEqual([problem]);
  });

  it('finds what was promised and not committed', () => {
    expect(evidence({ arrivals: [], books: { events: [], deliveries: [] } }).problems).toEqual([
      'the call call-1 was answered 201 and committed nothing, not note_added',
    ]);
  });

  it.each([0, 503])('takes %d for unknown, as long as nothing is half done', (status) => {
    const emits = ['note_added', 'ticket_opened'] as const;

    expect(evidence({ calls: [{ ...call, status }] })).toMatchObject({ unknown: 1, problems: [] });
    expect(evidence({ calls: [{ ...call, emits, status }] }).problems).toEqual([
      `the call call-1 was answered ${status} and left a part behind: note_added of note_added,ticket_opened`,
    ]);
  });

  it.each([404, 500])('knows no reason for a %d', (status) => {
    expect(evidence({ calls: [{ ...call, status }] }).problems).toEqual([
      `the call call-1 was answered ${status}, which it had no reason for`,
    ]);
  });

  it('lets a delivery be given up only after all attempts at a receiver with an outage', () => {
    expect(givenUp(3, true)).toMatchObject({ exhausted: 1, lost: [], problems: [] });
    expect(givenUp(2, true).problems).toEqual(['given up after 2 attempts: event event-1 webhook webhook-1']);
    expect(givenUp(3, false).problems).toEqual([
      'given up although its receiver was well: event event-1 webhook webhook-1',
    ]);
  });

  it('finds a delivery that is there twice, or that nobody wanted', () => {
    const delivered = { ...PAIR, state: 'delivered', attempts: 1 };
    const deliveries = [delivered, delivered, { ...delivered, webhookId: 'webhook-2' }];

    expect(evidence({ books: { deliveries } }).problems).toEqual([
      'owed twice over: event event-1 webhook webhook-1',
      'owed although nobody wanted it: event event-1 webhook webhook-2',
    ]);
  });
});
