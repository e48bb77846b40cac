import { NIL_UUID, type SystemTx, later, uuidAt } from '#libs/database';
import type { Replay } from '#libs/entities';
import { lockReplayedWebhook, saveReplay, sweepReplays, takeDueReplay } from '#libs/delivery';
import { beforeEach, describe, expect, it } from 'vitest';
import { NOW } from '#test/support/attempts.js';
import { startLedger } from '#test/support/ledger.js';

const ledger = await startLedger();
let webhookId: string;
beforeEach(async () => void (webhookId = await ledger.webhook()));

const MAX_DUE = 3;
const since = later(NOW, -10_000);

const aReplay = (columns: object = {}): Promise<string> => ledger.replay(webhookId, { since, ...columns });

const take = () => ledger.database.systemTransaction((tx) => takeDueReplay(tx, NOW, MAX_DUE));

async function taken(columns: object = {}): Promise<Replay> {
  await aReplay(columns);
  return (await take())!.replay;
}

describe('takeDueReplay', () => {
  it('returns the replay that is due longest, with the state of its webhook', async () => {
    const other = await ledger.webhook({ state: 'paused' });
    await aReplay();
    const id = await aReplay({ webhook_id: other, next_step_at: since });
    const found = await take();

    expect(found).toMatchObject({ webhookState: 'paused', due: 0 });
    expect(found!.replay).toMatchObject({
      id,
      accountId: ledger.account.id,
      webhookId: other,
      choice: 'failed',
      since,
    });
  });

  it('counts what is queued and what is due, each up to the maximum', async () => {
    await aReplay();
    for (let one = 0; one < MAX_DUE + 1; one++) await ledger.owed(webhookId, { queued: true });
    for (let one = 0; one < 2; one++) await ledger.owed(webhookId);
    await ledger.owed(webhookId, { dueAt: later(NOW, 1) });

    expect((await take())!.due).toBe(MAX_DUE + 2);
  });

  it('returns a replay whose webhook was deleted', async () => {
    await aReplay({ webhook_id: uuidAt(NOW) });

    expect((await take())!.webhookState).toBe('deleted');
  });

  it('returns none that ended, is not due, or is with another worker', async () => {
    await aReplay({ finished_at: NOW });
    await aReplay({ next_step_at: later(NOW, 1) });
    expect(await take()).toBeNull();
    const id = await aReplay({ webhook_id: await ledger.webhook() });
    await ledger.sql.query('begin');
    await ledger.sql.query('select from replays where id = $1 for update', [id]);
    const meanwhile = await take();
    await ledger.sql.query('commit');

    expect(meanwhile).toBeNull();
  });
});

describe('lockReplayedWebhook', () => {
  it('succeeds unless another transaction changes the webhook', async () => {
    const replay = await taken();
    const lock = () => ledger.database.systemTransaction((tx) => lockReplayedWebhook(tx, replay));
    expect(await lock()).toBe(true);
    await ledger.sql.query('begin');
    await ledger.sql.query('select from webhooks where id = $1 for update', [webhookId]);
    const meanwhile = await lock();
    await ledger.sql.query('commit');

    expect(meanwhile).toBe(false);
  });
});

it('saveReplay writes the progress of one replay', async () => {
  const replay = await taken();
  const other = await aReplay({ webhook_id: await ledger.webhook() });
  const progress = { state: 'done', total: 7, redelivered: 5, position: uuidAt(NOW), nextStepAt: since } as const;
  Object.assign(replay, progress, { finishedAt: NOW, choice: 'all' });
  await ledger.database.systemTransaction((tx: SystemTx) => saveReplay(tx, replay));

  expect(await ledger.one('replays', replay.id)).toMatchObject({
    state: 'done',
    total: 7,
    redelivered: 5,
    position: progress.position,
    next_step_at: since,
    finished_at: NOW,
    choice: 'failed',
  });
  expect(await ledger.one('replays', other)).toMatchObject({ state: 'running' });
});

it('sweepReplays deletes old replays that ended, up to the limit', async () => {
  await aReplay();
  for (let one = 0; one < 3; one++) await aReplay({ finished_at: NOW });
  const sweep = () => sweepReplays(ledger.system, uuidAt(NOW), 2);

  expect([await sweep(), await sweep(), await sweep()]).toEqual([2, 1, 0]);
  expect(await sweepReplays(ledger.system, NIL_UUID, 2)).toBe(0);
});
