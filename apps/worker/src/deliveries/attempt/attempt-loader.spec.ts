import { Clock, type Database, later } from '#libs/database';
import { beforeEach, describe, expect, it } from 'vitest';
import { NOW } from '../../../../../test/support/attempts.js';
import { AttemptLoader } from './attempt-loader.js';

class FixedClock extends Clock {
  override now = (): Date => NOW;
}

const aRow = (deliveryId: string, overrides: object = {}) => ({
  deliveryId,
  accountId: 'account',
  webhookId: 'webhook',
  attempts: 1,
  kind: 'ticket_started',
  url: 'https://hooks.example/',
  webhookState: 'active',
  pacedUntil: null,
  isSlow: false,
  publiclySigned: true,
  secretIds: 'new old',
  eventId: 'event',
  sequence: '42',
  test: false,
  payload: null as string | null,
  requestId: 'request',
  eventCreatedAt: NOW,
  ...overrides,
});

const aLoaded = (deliveryId: string, overrides: object = {}) => ({
  deliveryId,
  accountId: 'account',
  webhookId: 'webhook',
  attempts: 1,
  kind: 'ticket_started',
  url: 'https://hooks.example/',
  webhookState: 'active',
  pacedUntil: null,
  isSlow: false,
  publiclySigned: true,
  secrets: ['whsec_new', 'whsec_old'],
  event: {
    id: 'event',
    sequence: '42',
    test: false,
    body: Buffer.from('{"title":"Größe"}'),
    requestId: 'request',
    createdAt: NOW,
  },
  ...overrides,
});

let rows: ReturnType<typeof aRow>[];
let reads: unknown[][];
let secretLoads: string[][];
beforeEach(() => void ([rows, reads, secretLoads] = [[], [], []]));

const secrets = {
  load: async (ids: string[]) => void secretLoads.push(ids),
  get: (ids: string[]) => ids.map((id) => `whsec_${id}`),
};
const database = {
  system: () => ({ rows: async (_statement: unknown, values: unknown[]) => (reads.push(values), rows) }),
} as unknown as Database;

const newLoader = () => new AttemptLoader(database, new FixedClock(), secrets as never);

const leased = (deliveryId: string, leftMs = 9_000) => ({
  deliveryId,
  eventId: 'event',
  attempts: 1,
  leasedUntil: later(NOW, leftMs),
});

const PAYLOAD = '{"title":"Größe"}';

describe('load', () => {
  it('reads deliveries of the same moment in one statement, with an event that came once', async () => {
    rows = [aRow('a', { payload: PAYLOAD }), aRow('b')];
    const loader = newLoader();

    expect(await Promise.all(['b', 'gone', 'a'].map((id) => loader.load(leased(id))))).toEqual([
      aLoaded('b'),
      undefined,
      aLoaded('a'),
    ]);
    const until = later(NOW, 9_000).toISOString();
    expect(reads).toEqual([[NOW, '{b,gone,a}', `{${until},${until},${until}}`]]);
    expect(secretLoads).toEqual([['new', 'old', 'new', 'old']]);
  });

  it('returns nothing when the event is gone', async () => {
    rows = [aRow('a')];

    expect(await newLoader().load(leased('a'))).toBeUndefined();
  });

  it('returns no secret of a webhook that has none', async () => {
    rows = [aRow('a', { payload: PAYLOAD, secretIds: null })];

    expect(await newLoader().load(leased('a'))).toEqual(aLoaded('a', { secrets: [] }));
  });

  it.each([
    [3_000, 0],
    [3_001, 1],
  ])('with %d ms of its lease left reads %d times', async (leftMs, times) => {
    await newLoader().load(leased('a', leftMs));

    expect(reads).toHaveLength(times);
  });
});

describe('loadFirst', () => {
  it('returns the deliveries of each event', async () => {
    rows = [aRow('a', { payload: PAYLOAD }), aRow('b'), aRow('c', { eventId: 'other', payload: '{}' })];
    const loader = newLoader();
    const [first, gone, other] = await Promise.all(['event', 'gone', 'other'].map((id) => loader.loadFirst(id)));

    expect(first).toEqual([aLoaded('a'), aLoaded('b')]);
    expect(gone).toEqual([]);
    expect(other).toMatchObject([{ deliveryId: 'c', event: { id: 'other', body: Buffer.from('{}') } }]);
    expect(reads).toEqual([[NOW, '{event,gone,other}']]);
  });
});
