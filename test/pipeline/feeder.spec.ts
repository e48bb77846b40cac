import { later } from '#libs/database';
import { DeliveryQueue } from '#libs/delivery';
import { afterAll, afterEach, expect, it } from 'vitest';
import { BoundedQueue } from '../../apps/worker/src/deliveries/queue/bounded-queue.js';
import { FeederService } from '../../apps/worker/src/deliveries/queue/feeder.service.js';
import { LiveWorkersService } from '../../apps/worker/src/live-workers.service.js';
import { AttemptWorker } from '#test/support/attempt-worker.js';
import { NOW } from '#test/support/attempts.js';
import { eventually } from '#test/support/eventually.js';
import { startLedger } from '#test/support/ledger.js';

const FEEDER_WAITED = `select from pg_locks where not granted and pg_backend_pid() = any(pg_blocking_pids(pid))
  and clock_timestamp() - waitstart > interval '1.1 seconds'`;

const ledger = await startLedger();
const worker = new AttemptWorker(ledger);
const queue = DeliveryQueue.open(worker.settings, () => undefined);
afterAll(async () => {
  await queue.close();
  worker.stop();
});

const workers = new LiveWorkersService();
workers.mayWork = true;
const feeder = new FeederService(worker.leases, new BoundedQueue(queue, workers), worker.telemetry);
afterEach(() => feeder.loop.stop());

it('puts two deliveries of a slow webhook into the queue at most', async () => {
  const slow = await ledger.webhook({ slow_until: later(NOW, 1) });
  for (let one = 0; one < 3; one++) await ledger.owed(slow);
  const last = await ledger.owed(await ledger.webhook());
  feeder.loop.start();
  const queued = async () => (await ledger.owedRows()).filter((row) => row.queued);
  await eventually(async () => (await queued()).some(({ deliveryId }) => deliveryId === last.deliveryId));

  expect(await queued()).toHaveLength(2 + 1);
});

it('queues no expired delivery for two seconds after PostgreSQL answered late, so that leases are renewed first', async () => {
  await ledger.owed(await ledger.webhook(), { queued: true, dueAt: NOW });
  const { bulk: before } = await queue.size();
  await ledger.sql.query('begin; lock table owed_deliveries in access exclusive mode');
  feeder.loop.start();
  await eventually(async () => (await ledger.sql.query(FEEDER_WAITED)).rowCount === 1);
  await ledger.sql.query('commit');
  const answeredAt = performance.now();
  await eventually(async () => (await queue.size()).bulk === before + 1);
  const fedAfterMs = performance.now() - answeredAt;

  expect(fedAfterMs).toBeGreaterThan(1_800);
});
