import { uuidAt } from '#libs/database';
import { beforeEach, describe, expect, it } from 'vitest';
import { AttemptWorker } from '#test/support/attempt-worker.js';
import { NOW } from '#test/support/attempts.js';
import { startLedger } from '#test/support/ledger.js';
import { roundTripsOf } from '#test/support/round-trips.js';

const CAPACITY = 10_000;

const ledger = await startLedger();
let worker: AttemptWorker;
let webhookId: string;
beforeEach(async () => {
  worker = AttemptWorker.ofTest(ledger);
  webhookId = await ledger.webhook();
});

const load = (...ids: readonly string[]) => roundTripsOf(() => worker.secrets.load(ids));

/** Loads copies of a secret, by default as many as the cache has room for. */
async function fillCache(id: string, count = CAPACITY): Promise<void> {
  const { rows } = await ledger.sql.query(
    `insert into webhook_secrets (id, account_id, webhook_id, sealed, key_id, created_at)
     select gen_random_uuid(), account_id, webhook_id, sealed, key_id, created_at
     from webhook_secrets, generate_series(1, $2) where id = $1 returning id`,
    [id, count],
  );
  await worker.secrets.load(rows.map((row) => row.id));
}

describe('SecretCache', () => {
  it('reads each secret once', async () => {
    const a = await worker.secret(webhookId);
    const b = await worker.secret(webhookId);
    const c = await worker.secret(webhookId);

    expect(await load(a.id, b.id, a.id)).toEqual(['delivery_secrets']);
    expect(await load(b.id, a.id)).toEqual([]);
    expect(await load(b.id, c.id)).toEqual(['delivery_secrets']);
    expect(worker.secrets.get([b.id, uuidAt(NOW), c.id])).toEqual([b.secret, c.secret]);
  });

  it('reads nothing for a webhook without secrets', async () => {
    expect(await load()).toEqual([]);
  });

  it('keeps a secret that a batch uses again', async () => {
    const old = await worker.secret(webhookId);
    const other = await worker.secret(webhookId);
    await load(old.id, other.id);
    await fillCache(old.id, CAPACITY - 2);
    await load(old.id);
    await fillCache(old.id, 1);

    expect(worker.secrets.get([old.id, other.id])).toEqual([old.secret]);
  });

  it('forgets the secrets that were used longest ago', async () => {
    const old = await worker.secret(webhookId);
    await load(old.id);
    await fillCache(old.id);

    expect(worker.secrets.get([old.id])).toEqual([]);
  });

  it('logs a secret that cannot be decrypted, and returns the others', async () => {
    const broken = await worker.secret(webhookId);
    const other = await worker.secret(webhookId);
    await ledger.sql.query("update webhook_secrets set key_id = 'lost' where id = $1", [broken.id]);
    await load(broken.id, other.id);

    expect(worker.secrets.get([broken.id, other.id])).toEqual([other.secret]);
    expect(worker.lines).toMatchObject([
      { level: 40, msg: 'a webhook’s secret cannot be decrypted, so nothing is sent to it' },
    ]);
  });
});
