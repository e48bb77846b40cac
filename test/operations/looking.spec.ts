import { beforeAll, expect, it } from 'vitest';
import { freePort } from '../../apps/launcher/src/ports.js';
import { deskForFile } from '#test/support/desk-for-file.js';
import { eventually } from '#test/support/eventually.js';

const WEBHOOKS = 4_000;
const OWED = 50_000;
/** Prometheus gives up after ten seconds; a second of the database's time is already too much. */
const QUICK_MS = 3_000;

const desk = deskForFile();
beforeAll(async () => {
  const { sql, account } = desk;
  await sql.query(
    `insert into webhooks (id, account_id, event, url, state, created_at, updated_at)
     select gen_random_uuid(), $1, 'customer_added', 'https://a.example/', 'paused', now(), now() from generate_series(1, $2::int)`,
    [account.id, WEBHOOKS],
  );
  await sql.query(
    `insert into owed_deliveries (delivery_id, webhook_id, account_id, event_id, attempts, due_at, queued)
     select gen_random_uuid(), ids[1 + one % $2::int], $1, gen_random_uuid(), 0, now(), false
     from generate_series(1, $3::int) one, (select array_agg(id) as ids from webhooks) w`,
    [account.id, WEBHOOKS, OWED],
  );
});

it('returns the metrics of a worker at once, however many deliveries are owed', async () => {
  const port = await freePort();
  await desk.worker({ WORKER_PORT: `${port}` });
  const base = `http://127.0.0.1:${port}`;
  await eventually(async () => (await fetch(`${base}/readyz`)).ok);
  const begun = performance.now();
  const text = await (await fetch(`${base}/metrics`)).text();
  const tookMs = performance.now() - begun;
  const told = Number(/^deskwire_owed_deliveries\{state="paused".*\} (\d+)$/m.exec(text)?.[1]);

  // Upkeep has begun to remove rows without a delivery.
  expect(told).toBeGreaterThan(OWED / 2);
  expect(tookMs).toBeLessThan(QUICK_MS);
});
