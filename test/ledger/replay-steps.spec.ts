import { later, uuidAt } from '#libs/database';
import type { Replay } from '#libs/entities';
import { countRange, oweRange, takeDueReplay } from '#libs/delivery';
import { beforeEach, describe, expect, it } from 'vitest';
import { NOW } from '#test/support/attempts.js';
import { type Ledger, startLedger } from '#test/support/ledger.js';

const ledger = await startLedger();
let webhookId: string;
beforeEach(async () => void (webhookId = await ledger.webhook()));

const since = later(NOW, -10_000);

const due = async () => (await ledger.database.systemTransaction((tx) => takeDueReplay(tx, NOW, 1)))!.replay;

async function aReplay(columns: object = {}): Promise<Replay> {
  await ledger.replay(webhookId, { since, ...columns });
  return due();
}

/** A delivery in the range of the replay. */
const past = (msAgo: number, row: Parameters<Ledger['delivery']>[1] = {}) =>
  ledger.delivery(webhookId, { at: later(NOW, -msAgo), ...row });

const owe = (replay: Replay, { length = 10, room = 10 } = {}) =>
  ledger.database.systemTransaction((tx) => oweRange(tx, replay, { length, room, now: NOW }));

const count = (replay: Replay, length = 10) =>
  ledger.database.systemTransaction((tx) => countRange(tx, replay, length));

describe('countRange', () => {
  it('counts the wanted deliveries of the range, from its position', async () => {
    await past(20_000);
    await past(0);
    const [first, second, third] = [await past(9_000), await past(8_000, { state: 'delivered' }), await past(7_000)];

    expect(await count(await aReplay())).toEqual({ scanned: 3, wanted: 2, last: third });
    await ledger.sql.query('update replays set position = $1', [first]);
    expect(await count(await due(), 1)).toEqual({ scanned: 1, wanted: 0, last: second });
  });

  it('counts only the wanted responses', async () => {
    await past(9_000, { columns: { last_status: 503 } });
    await past(8_000, { columns: { last_status: 404 } });
    await past(7_000, { columns: { last_error: 'dns' } });
    const replay = await aReplay();

    expect((await count(Object.assign(replay, { lastResponse: '5xx' }))).wanted).toBe(1);
    expect((await count(Object.assign(replay, { lastResponse: 'none' }))).wanted).toBe(1);
  });
});

it('leaves out test events when it counts and when it owes', async () => {
  const [tested, real] = [await past(9_000), await past(8_000)];
  await ledger.sql.query('update events set test = true where id = (select event_id from deliveries where id = $1)', [
    tested,
  ]);
  const replay = await aReplay();

  expect(await count(replay)).toEqual({ scanned: 2, wanted: 1, last: real });
  expect(await owe(replay)).toMatchObject({ scanned: 2, wanted: 1, owed: 1 });
  expect(await ledger.one('deliveries', tested)).toMatchObject({ state: 'exhausted' });
});

describe('oweRange', () => {
  it('owes settled deliveries again and keeps their attempts', async () => {
    const id = await past(9_000, { attempts: 3, columns: { finished_at: NOW } });
    await past(8_000, { state: 'delivered' });

    expect(await owe(await aReplay())).toMatchObject({ scanned: 2, wanted: 1, owed: 1, lastWanted: id });
    expect(await ledger.owedRows()).toEqual([{ deliveryId: id, attempts: 3, queued: false, dueAt: NOW }]);
    expect(await ledger.one('deliveries', id)).toMatchObject({
      state: 'pending',
      next_attempt_at: NOW,
      finished_at: null,
    });
  });

  it('owes no more than there is room for', async () => {
    const [first, second] = [await past(9_000), await past(8_000)];
    const owed = await owe(await aReplay(), { room: 1 });

    expect(owed).toEqual({ scanned: 2, wanted: 1, owed: 1, last: second, lastWanted: first });
  });

  it('makes a delivery that waits for a retry due, and leaves a queued one alone', async () => {
    const late = later(NOW, 60_000);
    const waiting = await ledger.owed(webhookId, { attempts: 1, dueAt: late });
    const queued = await ledger.owed(webhookId, { attempts: 1, queued: true, dueAt: late });
    const replay = await aReplay({ choice: 'retrying', since: later(NOW, -4_000_000) });

    expect(await owe(replay)).toMatchObject({ scanned: 2, wanted: 2, owed: 1 });
    expect(await ledger.owedRows()).toEqual([
      { deliveryId: waiting.deliveryId, attempts: 1, queued: false, dueAt: NOW },
      { deliveryId: queued.deliveryId, attempts: 1, queued: true, dueAt: late },
    ]);
  });

  it('skips a delivery whose event is no longer kept', async () => {
    await past(9_000, { eventId: uuidAt(since) });

    expect(await owe(await aReplay())).toMatchObject({ wanted: 1, owed: 0 });
  });
});
