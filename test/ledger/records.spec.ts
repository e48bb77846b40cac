import { later, uuidAt } from '#libs/database';
import { type AttemptRecord, recordAttempts } from '#libs/delivery';
import { describe, expect, it } from 'vitest';
import { NOW } from '#test/support/attempts.js';
import { startLedger } from '#test/support/ledger.js';

const ledger = await startLedger();

const soon = later(NOW, 5_000);
const startedAt = later(NOW, -40);

const settled = { state: 'delivered', status: 204, nextAttemptAt: null } as const;
const retried = { state: 'pending', status: 503, nextAttemptAt: soon, nextReason: 'schedule' } as const;

const aRecord = (
  webhookId: string,
  { deliveryId, attempts }: { readonly deliveryId: string; readonly attempts: number },
  overrides: Partial<AttemptRecord> = {},
): AttemptRecord => ({
  id: uuidAt(NOW),
  accountId: ledger.account.id,
  webhookId,
  deliveryId,
  number: attempts + 1,
  startedAt,
  durationMs: 40,
  error: null,
  errorDetail: null,
  responseBody: null,
  requestHeaders: '{"a":"1"}',
  nextReason: null,
  retryAfterUntil: null,
  slowUntil: null,
  ...settled,
  ...overrides,
});

const OWE_MANY = `
  insert into owed_deliveries (delivery_id, account_id, webhook_id, event_id, attempts, queued, due_at)
  select gen_random_uuid(), $1, $2, $3, 0, false, now() from generate_series(1, 5000)`;

/** Owes a delivery, and records an attempt of it. */
async function record(webhook: object, overrides: Partial<AttemptRecord>) {
  const webhookId = await ledger.webhook({ ...webhook });
  const owed = await ledger.owed(webhookId, { queued: true });
  await recordAttempts(ledger.system, [aRecord(webhookId, owed, overrides)], NOW);
  return { webhookId, owed, webhook: await ledger.one('webhooks', webhookId) };
}

describe('recordAttempts', () => {
  it('settles a delivery by the confirmation of an earlier attempt', async () => {
    const { webhookId, owed } = await record({}, retried);
    await recordAttempts(ledger.system, [aRecord(webhookId, owed, settled)], NOW);

    expect(await ledger.owedRows()).toEqual([]);
    expect(await ledger.one('deliveries', owed.deliveryId)).toMatchObject({ state: 'delivered', attempts: 1 });
  });

  it('keeps the texts of several attempts apart', async () => {
    const webhookId = await ledger.webhook();
    const owed = [await ledger.owed(webhookId), await ledger.owed(webhookId)];
    const records = owed.map((one, place) =>
      aRecord(webhookId, one, { requestHeaders: JSON.stringify({ place }), responseBody: `${place}` }),
    );
    await recordAttempts(ledger.system, records, NOW);

    expect(await ledger.rows('attempts', 'delivery_id')).toMatchObject(
      owed.map(({ deliveryId }, place) => ({
        delivery_id: deliveryId,
        request_headers: { place },
        response_body: `${place}`,
      })),
    );
  });

  it('only logs an attempt that was recorded before', async () => {
    const webhookId = await ledger.webhook();
    const owed = await ledger.owed(webhookId, { queued: true });
    for (let time = 0; time < 2; time++)
      await recordAttempts(ledger.system, [aRecord(webhookId, owed, { ...retried, id: uuidAt(NOW) })], NOW);

    expect(await ledger.owedRows()).toMatchObject([{ attempts: 1, dueAt: soon }]);
    expect(await ledger.rows('delivery_counts', 'webhook_id')).toMatchObject([{ retried: 1 }]);
    expect(await ledger.rows('attempts', 'id')).toHaveLength(2);
  });

  it.each([['ascending'], ['descending']])('locks in the order of ids when records come %s', async (order) => {
    const webhookId = await ledger.webhook();
    const [low, high] = [await ledger.owed(webhookId), await ledger.owed(webhookId)];
    // PostgreSQL reads a small table as a whole, and locks in the order of its pages.
    await ledger.sql.query(OWE_MANY, [ledger.account.id, webhookId, await ledger.event()]);
    await ledger.sql.query('analyze owed_deliveries');
    const records = (order === 'ascending' ? [low, high] : [high, low]).map((one) => aRecord(webhookId, one, retried));
    const work = () => recordAttempts(ledger.system, records, NOW);

    expect(await ledger.locksLowerIdFirst(low.deliveryId, high.deliveryId, work)).toBe(true);
  });
});

describe('the health of a webhook', () => {
  const slow = { failing_since: startedAt, slow_until: soon };

  it.each<[string, object, Partial<AttemptRecord>, object]>([
    ['is failing from the first failure', {}, retried, { failing_since: NOW }],
    ['keeps the time of its first failure', { failing_since: startedAt }, retried, { failing_since: startedAt }],
    ['is well after a success', slow, settled, { failing_since: null, slow_until: null }],
    [
      'rests no shorter than before',
      { retry_after_until: soon },
      { ...retried, retryAfterUntil: NOW },
      { retry_after_until: soon },
    ],
  ])('%s', async (_name, before, result, expected) => {
    expect((await record(before, result)).webhook).toMatchObject(expected);
  });
});
